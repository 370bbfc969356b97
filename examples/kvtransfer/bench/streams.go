package main

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// block is how much a plain stream writes and reads at once: as much as a frame of the service.
const block = 1 << 20

// iperfTime bounds one run of iperf3.
const iperfTime = time.Minute

// plain is the bytes a second of a plain Go TCP stream over several connections: from large memory to large memory, as the service.
func plain(connections int, size int64) (float64, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	share := size / int64(connections)
	var wg sync.WaitGroup
	errs := make(chan error, 2*connections)
	src, dst := make([]byte, 256*block), make([]byte, 256*block)
	touch(src)
	touch(dst)
	began := time.Now()
	for i := range connections {
		wg.Go(func() { errs <- receive(l, dst[i*len(dst)/connections:(i+1)*len(dst)/connections], share) })
		wg.Go(func() { errs <- send(l.Addr().String(), src[i*len(src)/connections:(i+1)*len(src)/connections], share) })
	}
	wg.Wait()
	elapsed := time.Since(began)
	for range 2 * connections {
		if err := <-errs; err != nil {
			return 0, err
		}
	}
	return float64(size) / elapsed.Seconds(), nil
}

// touch has the system give the memory now.
func touch(b []byte) {
	for i := 0; i < len(b); i += 4096 {
		b[i] = 1
	}
}

// send writes n bytes out of memory, going round.
func send(addr string, memory []byte, n int64) error {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer c.Close()
	for at := 0; n > 0; at = (at + block) % len(memory) {
		k, err := c.Write(memory[at:][:min(int64(block), n)])
		if err != nil {
			return err
		}
		n -= int64(k)
	}
	return nil
}

// receive reads n bytes into memory, going round.
func receive(l net.Listener, memory []byte, n int64) error {
	c, err := l.Accept()
	if err != nil {
		return err
	}
	defer c.Close()
	for at := 0; n > 0; at = (at + block) % len(memory) {
		k, err := io.ReadFull(c, memory[at:][:min(int64(block), n)])
		if err != nil {
			return err
		}
		n -= int64(k)
	}
	return nil
}

// iperf is the bytes a second that iperf3 receives over several connections; 0 where it is not installed.
func iperf(connections int, size int64) (float64, error) {
	if iperfVersion() == "" {
		return 0, nil
	}
	port, err := freePort()
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), iperfTime)
	defer cancel()
	server := exec.CommandContext(ctx, "iperf3", "-s", "-1", "-p", port)
	if err := server.Start(); err != nil {
		return 0, err
	}
	defer func() { _ = server.Wait() }() // -1: it ends after its only client
	var out []byte
	for range 50 { // until it listens
		time.Sleep(20 * time.Millisecond)
		out, err = exec.CommandContext(ctx, "iperf3", "-c", "127.0.0.1", "-p", port, "-P", strconv.Itoa(connections),
			"-n", strconv.FormatInt(size/int64(connections), 10), "-J").Output()
		if err == nil {
			break
		}
	}
	if err != nil {
		_ = server.Process.Kill()
		return 0, err
	}
	var report struct {
		End struct {
			Sum struct {
				Bits float64 `json:"bits_per_second"`
			} `json:"sum_received"`
		} `json:"end"`
	}
	err = json.Unmarshal(out, &report)
	return report.End.Sum.Bits / 8, err
}

// iperfVersion is the first line of iperf3's version; "" where it is not installed.
func iperfVersion() string {
	out, err := exec.Command("iperf3", "--version").Output()
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(out), "\n")
	return first
}

// freePort is a port that nobody listens on.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, err
}
