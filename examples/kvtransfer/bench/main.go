// Bench measures the data path of the service on this machine, over loopback, and writes bench/service.md.
//
// Machines are noisy and this one may be shared, so what counts is ratios within one run: every round measures a plain Go TCP stream, iperf3
// (if it is installed) and the service, one right after the other, and the page gives medians of rounds and of their ratios.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	out := flag.String("out", "bench/service.md", "the page to write; - for standard output")
	rounds := flag.Int("rounds", 7, "how often everything is measured")
	size := flag.Int64("bytes", 1<<30, "bytes of one measurement")
	flag.Parse()
	if err := run(*out, *rounds, *size); err != nil {
		fmt.Fprintf(os.Stderr, "bench: %v\n", err)
		os.Exit(1)
	}
}

// run measures and writes the page.
func run(out string, rounds int, size int64) error {
	var r results
	var err error
	if r.crowd, err = crowd(); err != nil { // first, since it is measured by what the process holds
		return err
	}
	for _, c := range cases() {
		row, err := measure(c, rounds, size)
		if err != nil {
			return err
		}
		r.rows = append(r.rows, row)
	}
	if out == "-" {
		r.print(os.Stdout)
		return nil
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	r.print(f)
	return f.Close()
}
