package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/wherefore-dev/wherefore/internal/catalog"
)

// serving measures the server on the catalog of both standard libraries, from another process on the same machine.
func (b *bench) serving() error {
	return b.serve(filepath.Join(b.dir, "wherefore"), filepath.Join(b.dir, "go.db"))
}

func (b *bench) serve(binary, path string) error {
	c, err := catalog.OpenRead(b.ctx, path)
	if err != nil {
		return err
	}
	defer c.Close()
	texts, err := b.samples(c, 20_000)
	if err != nil {
		return err
	}
	errs, err := c.Errors(b.ctx, 0)
	if err != nil {
		return err
	}
	s, err := startServer(binary, path)
	if err != nil {
		return err
	}
	defer s.kill()
	if err := b.finds(s, texts); err != nil {
		return err
	}
	b.add(fmt.Sprintf("serve, peak memory after that, catalog of %d errors", len(errs)), "≤ 300 MB", "%d MB", s.peak()>>20)
	if err := b.pages(s, errs); err != nil {
		return err
	}
	b.add("serve, peak memory after the pages", "≤ 300 MB", "%d MB", s.peak()>>20)
	return s.end()
}

// loadLength is short: the machine is shared.
const loadLength = 6 * time.Second

func (b *bench) finds(s *served, texts []string) error {
	post := func(text string) []byte {
		return fmt.Appendf(nil, "POST /api/find HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s", len(text), text)
	}
	const errors = 2000
	of := func(n int) string { return texts[n%errors*(max(errors, len(texts))/errors)%len(texts)] }
	const aim = "≥ 3,000 a second, p99 ≤ 20 ms"
	// No two reports are the same: what was answered does not help, only what was read of the catalog does.
	if err := b.measure(s, fmt.Sprintf("serve, POST /api/find, reports of %d errors, each another one", errors), aim, func(n int) []byte {
		return post(fmt.Sprintf("%s #%d", of(n), n))
	}); err != nil {
		return err
	}
	again := func(n int) []byte { return post(of(n)) }
	if err := s.once(errors, again, nil); err != nil {
		return err
	}
	return b.measure(s, fmt.Sprintf("serve, POST /api/find, %d reports again and again", errors), aim, again)
}

func (b *bench) pages(s *served, errs []catalog.ErrorEntry) error {
	const pages = 60
	get := func(n int) []byte {
		return fmt.Appendf(nil, "GET /errors/%s HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\n\r\n", errs[n%pages*(len(errs)/pages)].ID)
	}
	// The first time a page is made from the catalog and the source.
	var each []time.Duration
	if err := s.once(pages, get, &each); err != nil {
		return err
	}
	b.add("serve, GET of a page, first time", "", "median %.1f ms, p99 %.1f ms", ms(quantile(each, 0.5)), ms(quantile(each, 0.99)))
	return b.measure(s, fmt.Sprintf("serve, GET of %d pages, gzip, from warm", pages), "≥ 5,000 a second", get)
}

// measure loads the server and adds a row.
func (b *bench) measure(s *served, what, aim string, request func(n int) []byte) error {
	before := s.processor()
	l, err := load(b.ctx, s.address, 16, loadLength, request)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	used := s.processor() - before
	b.add(what, aim, "%.0f a second beside the client on the same processors, p50 %.1f ms, p99 %.1f ms; %.0f for each CPU second of the server",
		l.rate(), ms(quantile(l.each, 0.5)), ms(quantile(l.each, 0.99)), float64(l.answered)/used.Seconds())
	return nil
}

// served is a server in a process of its own.
type served struct {
	cmd     *exec.Cmd
	address string
}

func startServer(binary, path string) (*served, error) {
	s := &served{cmd: exec.Command(binary, "--catalog", path, "serve", "--listen", "127.0.0.1:0", "--rate", "0")}
	out, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		s.kill()
		return nil, fmt.Errorf("serve: %w", err)
	}
	_, rest, _ := strings.Cut(line, "http://")
	s.address, _, _ = strings.Cut(rest, " ")
	return s, nil
}

// once sends n requests, one after the other, and adds how long each took to each if that is not nil.
func (s *served) once(n int, request func(n int) []byte, each *[]time.Duration) error {
	c, err := net.Dial("tcp", s.address)
	if err != nil {
		return err
	}
	defer c.Close()
	r := bufio.NewReader(c)
	for i := range n {
		begin := time.Now()
		if _, err := c.Write(request(i)); err != nil {
			return err
		}
		if err := answer(r); err != nil {
			return err
		}
		if each != nil {
			*each = append(*each, time.Since(begin))
		}
	}
	return nil
}

// processor is the time that the server's threads ran so far.
func (s *served) processor() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	var user, system int64
	if len(fields) < 13 {
		return 0
	}
	fmt.Sscan(fields[11], &user)
	fmt.Sscan(fields[12], &system)
	return time.Duration(user+system) * 10 * time.Millisecond // in hundredths of a second on every Linux
}

// peak is the most memory that the server held, in bytes.
func (s *served) peak() int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	var kilobytes int64
	for l := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(l, "VmHWM:"); ok {
			fmt.Sscan(rest, &kilobytes)
		}
	}
	return kilobytes << 10
}

// end ends the server as a person would, and reports how it took that.
func (s *served) end() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	state, err := s.cmd.Process.Wait()
	if err == nil && state.ExitCode() != 0 {
		err = fmt.Errorf("the server ended with status %d", state.ExitCode())
	}
	return err
}

// kill ends a server that was not ended.
func (s *served) kill() { _ = s.cmd.Process.Kill() }
