package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/control"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/fault"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// abortCommand is kvctl abort.
func abortCommand() *cobra.Command {
	var id uint64
	cmd := &cobra.Command{
		Use:   "abort ADDR --room N",
		Short: "Abort a room on the rank with that control address",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c := control.NewClient(1)
			defer c.Close()
			return c.Abort(cmd.Context(), args[0], room.ID(id))
		},
	}
	cmd.Flags().Uint64Var(&id, "room", 0, "the room")
	return cmd
}

// statusCommand is kvctl status.
func statusCommand() *cobra.Command {
	var id uint64
	var wait time.Duration
	cmd := &cobra.Command{
		Use:   "status ADDR… [--room N]",
		Short: "Print the figures of ranks as JSON, or how a room stands there",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c := control.NewClient(1)
			defer c.Close()
			for _, addr := range args {
				if err := status(cmd, c, addr, room.ID(id), wait); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().Uint64Var(&id, "room", 0, "the room; without it the figures of the rank")
	cmd.Flags().DurationVar(&wait, "wait", 0, "with --room: how long to wait for its end")
	return cmd
}

// status prints one rank's figures, or one room's state on it.
func status(cmd *cobra.Command, c *control.Client, addr string, id room.ID, wait time.Duration) error {
	out := cmd.OutOrStdout()
	if id == 0 {
		raw, err := c.Stats(cmd.Context(), addr)
		if err == nil {
			fmt.Fprintf(out, "%s %s\n", addr, raw)
		}
		return err
	}
	o, err := c.Room(cmd.Context(), addr, id, wait)
	if err == nil {
		fmt.Fprintln(out, strings.TrimSpace(fmt.Sprintf("%s room %d: %s %s", addr, o.Room, o.State, o.Error)))
	}
	return err
}

// faultCommand is kvctl fault.
func faultCommand() *cobra.Command {
	var f control.Fault
	var d time.Duration
	cmd := &cobra.Command{
		Use:   "fault ADDR stall|cut|slow|flip",
		Short: "Break one of the connections of the rank with that control address, once",
		Args:  cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			var k fault.Kind
			if err := k.UnmarshalText([]byte(args[1])); err != nil {
				return err
			}
			f.Kind = k
			if d > 0 {
				f.For = d.String()
			}
			c := control.NewClient(1)
			defer c.Close()
			return c.Break(cmd.Context(), args[0], f)
		},
	}
	cmd.Flags().Int64Var(&f.After, "after", 0, "bytes that a connection still writes before it happens")
	cmd.Flags().DurationVar(&d, "for", 0, "how long a stall or slow lasts; without it for ever")
	return cmd
}
