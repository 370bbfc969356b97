package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
)

// results are everything that the page says.
type results struct {
	rows  []row
	crowd crowded
}

// print prints the page.
func (r *results) print(w io.Writer) {
	fmt.Fprint(w, `# The service

Written by `+"`make bench-service`"+`: one prefill rank and one decode rank in one process, over loopback, in host memory. Nothing is computed and nothing
compared, so that only the transfer is measured. Each round measures a plain Go TCP stream from large memory to large memory in writes of
1 MB, the service, and iperf3, one right after the other; figures are medians of rounds, ratios are medians of the ratios of rounds.
iperf3 sends one small buffer over and over, which stays in the cache; the service and the plain stream go through large memory.

| requests | connections | service GB/s | plain Go | ratio (aim 0.8 with one) | iperf3 | ratio (aim 0.7) |
|---|---:|---:|---:|---:|---:|---:|
`)
	for _, c := range r.rows {
		other, share := "not installed", ""
		if median(c.iperf) > 0 {
			other, share = fmt.Sprintf("%.2f", median(c.iperf)/1e9), fmt.Sprintf("%.2f", ratio(c.service, c.iperf))
		}
		fmt.Fprintf(w, "| %s | %d | %.2f | %.2f | %.2f | %s | %s |\n", c.name, c.connections, median(c.service)/1e9, median(c.plain)/1e9,
			ratio(c.service, c.plain), other, share)
	}
	fmt.Fprintf(w, "\n%d rooms at once, on two prefill stages and one decode rank over four connections: all arrived in %.2f s, and the three ranks "+
		"together held at most %d MB beside their pools (aim 64 MB a rank).\n", r.crowd.rooms, r.crowd.elapsed.Seconds(), r.crowd.beyond>>20)
	fmt.Fprint(w, "\nPage data is never copied outside the kernel: it is gathered from the sender's pool by writev, and scattered into the receiver's by readv.\n"+
		"Planning is measured in [plan.md](plan.md).\n")
	fmt.Fprintf(w, "\n%d rounds, %s, %d CPUs, %s", len(r.rows[0].plain), runtime.Version(), runtime.NumCPU(), cpu())
	if v := iperfVersion(); v != "" {
		fmt.Fprintf(w, ", %s", v)
	}
	if l := load(); l != "" {
		fmt.Fprintf(w, "; load average %s at the end", l)
	}
	fmt.Fprintln(w, ".")
}

// load is the load average of the last minute; "" where the system does not say.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	one, _, _ := strings.Cut(string(text), " ")
	return one
}

// cpu is the name of the processor; "" where the system does not say.
func cpu() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	_, rest, _ := strings.Cut(string(text), "model name")
	line, _, _ := strings.Cut(rest, "\n")
	_, name, _ := strings.Cut(line, ":")
	return strings.TrimSpace(name)
}
