package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"
)

// loaded is what a load of requests met with.
type loaded struct {
	answered int
	took     time.Duration
	each     []time.Duration
}

func (l *loaded) rate() float64 { return float64(l.answered) / l.took.Seconds() }

// load sends requests over connections of their own for a while, as fast as the answers come. request returns the n-th request as it goes
// over the wire. The client is written by hand: on a machine of two processors the one of the library would take as much as the server.
func load(ctx context.Context, address string, connections int, length time.Duration, request func(n int) []byte) (*loaded, error) {
	ctx, stop := context.WithTimeout(ctx, length)
	defer stop()
	results := make([]loaded, connections)
	faults := make([]error, connections)
	var wg sync.WaitGroup
	begin := time.Now()
	for i := range connections {
		wg.Go(func() {
			faults[i] = client(ctx, address, func(n int) []byte { return request(n*connections + i) }, &results[i])
		})
	}
	wg.Wait()
	all := &loaded{took: time.Since(begin)}
	for i := range results {
		if faults[i] != nil {
			return nil, faults[i]
		}
		all.answered += results[i].answered
		all.each = append(all.each, results[i].each...)
	}
	return all, nil
}

func client(ctx context.Context, address string, request func(n int) []byte, out *loaded) error {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer c.Close()
	r := bufio.NewReaderSize(c, 64<<10)
	for n := 0; ctx.Err() == nil; n++ {
		begin := time.Now()
		if _, err := c.Write(request(n)); err != nil {
			return err
		}
		if err := answer(r); err != nil {
			return fmt.Errorf("request %d: %w", n, err)
		}
		out.each = append(out.each, time.Since(begin))
		out.answered++
	}
	return nil
}

// answer reads one answer, which has to be 200 with its length.
func answer(r *bufio.Reader) error {
	status, err := r.ReadString('\n')
	if err != nil {
		return err
	}
	length := 0
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return err
		}
		if line == "\r\n" {
			break
		}
		if name, value, _ := strings.Cut(line, ":"); strings.EqualFold(name, "Content-Length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return err
			}
		}
	}
	if !strings.HasPrefix(status, "HTTP/1.1 200 ") {
		body, _ := io.ReadAll(io.LimitReader(r, int64(length)))
		return fmt.Errorf("%s %s", strings.TrimSpace(status), body)
	}
	_, err = r.Discard(length)
	return err
}
