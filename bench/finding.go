package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/index"
	"github.com/wherefore-dev/wherefore/internal/lang/all"
	"github.com/wherefore-dev/wherefore/internal/match"
	"github.com/wherefore-dev/wherefore/internal/message"
)

// maxRSS is the peak memory of a process that ended, in kilobytes.
func maxRSS(usage any) int64 {
	if u, ok := usage.(*syscall.Rusage); ok {
		return u.Maxrss
	}
	return 0
}

// finding measures the command and a warm finder on a catalog with both standard libraries.
func (b *bench) finding() error {
	path := filepath.Join(b.dir, "go.db")
	if _, err := b.index(filepath.Join(b.dir, "python"), "python", path, 2); err != nil {
		return err
	}
	c, err := catalog.OpenRead(b.ctx, path)
	if err != nil {
		return err
	}
	defer c.Close()
	x, err := index.OpenMatch(b.ctx, c)
	if err != nil {
		return err
	}
	defer x.Close()
	texts, err := b.samples(c, 2000)
	if err != nil {
		return err
	}
	var cold []time.Duration
	for i := range 50 {
		start := time.Now()
		out, err := exec.CommandContext(b.ctx, filepath.Join(b.dir, "wherefore"), "--catalog", path, "find", "--json", "--", texts[i*7%len(texts)]).CombinedOutput()
		cold = append(cold, time.Since(start))
		if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() > 1) {
			return fmt.Errorf("find: %s", out)
		}
	}
	b.add("find, cold command, catalog of both standard libraries", "≤ 60 ms", "median %d ms, p90 %d ms", quantile(cold, 0.5).Milliseconds(), quantile(cold, 0.9).Milliseconds())
	finder := match.NewFinder(c, x, all.Languages(), all.Traces())
	var warm []time.Duration
	for range 2 {
		warm = warm[:0]
		for _, t := range texts {
			start := time.Now()
			if _, err := finder.Find(b.ctx, t, match.Options{}); err != nil {
				return err
			}
			warm = append(warm, time.Since(start))
		}
	}
	b.add("find, warm in process", "≤ 2 ms (p99)", "median %.2f ms, p99 %.2f ms", ms(quantile(warm, 0.5)), ms(quantile(warm, 0.99)))
	return nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// samples prints messages from templates of the catalog.
func (b *bench) samples(c *catalog.Catalog, n int) ([]string, error) {
	errs, err := c.Errors(b.ctx, 0)
	if err != nil {
		return nil, err
	}
	var out []string
	for i := 0; i < len(errs) && len(out) < n; i += max(1, len(errs)/n) {
		t, err := message.Decode(errs[i].Template)
		if err != nil {
			return nil, err
		}
		if t.Specific() {
			out = append(out, sample(t))
		}
	}
	return out, nil
}

func sample(t message.Template) string {
	var values []string
	for i, h := range t.Holes() {
		switch h.Kind {
		case message.Int, message.Hex, message.Float:
			values = append(values, fmt.Sprint(7+i))
		case message.Enum:
			values = append(values, h.Values[0])
		default:
			values = append(values, fmt.Sprint("zq", i))
		}
	}
	return t.Print(values...)
}

// matching measures the index alone, at real size and multiplied with changed words.
func (b *bench) matching() error {
	c, err := catalog.OpenRead(b.ctx, filepath.Join(b.dir, "go.db"))
	if err != nil {
		return err
	}
	defer c.Close()
	errs, err := c.Errors(b.ctx, 0)
	if err != nil {
		return err
	}
	var real []message.Template
	for i := range errs {
		t, err := message.Decode(errs[i].Template)
		if err != nil {
			return err
		}
		if t.Weight() > 0 {
			real = append(real, t)
		}
	}
	for _, size := range []int{len(real), 100_000, 1_000_000} {
		if err := b.matchAt(multiplied(real, size), size == len(real)); err != nil {
			return err
		}
		runtime.GC()
	}
	return nil
}

// multiplied repeats templates with words changed until there are n.
func multiplied(real []message.Template, n int) []message.Template {
	out := append([]message.Template(nil), real...)
	for round := 1; len(out) < n; round++ {
		for i := 0; i < len(real) && len(out) < n; i++ {
			pieces := append([]message.Piece(nil), real[i].Pieces...)
			for j := range pieces {
				if pieces[j].Hole == nil {
					pieces[j].Text = changed(pieces[j].Text, round)
				}
			}
			out = append(out, message.Template{Pieces: pieces})
		}
	}
	return out[:max(n, len(real))]
}

// changed replaces every second word of a text by another of the same length.
func changed(s string, round int) string {
	words := strings.Split(s, " ")
	for i := range words {
		if i%2 == 1 && len(words[i]) > 3 {
			b := []byte(words[i])
			for j := range b {
				if b[j] >= 'a' && b[j] <= 'z' {
					b[j] = 'a' + (b[j]-'a'+byte(round*(j+3)))%26
				}
			}
			words[i] = string(b)
		}
	}
	return strings.Join(words, " ")
}

func (b *bench) matchAt(templates []message.Template, real bool) error {
	entries := make([]match.Entry, len(templates))
	for i, t := range templates {
		entries[i] = match.Entry{ID: uint64(i + 1), Repo: "r", Template: t.Append(nil)}
	}
	path := filepath.Join(b.dir, "multiplied.match")
	if err := match.Write(path, "g", entries); err != nil {
		return err
	}
	start := time.Now()
	x, err := match.Open(path, "g")
	if err != nil {
		return err
	}
	opening := time.Since(start)
	defer x.Close()
	name := fmt.Sprintf("%d templates", x.Len())
	if real {
		name += " (real ones)"
	}
	s := match.NewSearcher(x)
	var texts []string
	for i := 0; i < len(templates); i += max(1, len(templates)/20000) {
		texts = append(texts, sample(templates[i]))
	}
	var each []time.Duration
	var hits []match.Hit
	found := 0
	used, _, err := cpu(func() error {
		for _, t := range texts {
			begin := time.Now()
			hits = s.Search(hits[:0], t, 0)
			each = append(each, time.Since(begin))
			if len(hits) > 0 {
				found++
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	b.add("looking a message up, "+name, "≤ 5 µs at 100,000, ≤ 25 µs at 1,000,000 (mean); p99 ≤ 0.2 ms", "mean %.1f µs of CPU, p99 %.0f µs; %.1f %% found", float64(used.Microseconds())/float64(len(texts)),
		float64(quantile(each, 0.99).Nanoseconds())/1000, 100*float64(found)/float64(len(texts)))
	b.add("match index, "+name, "≤ 160 bytes a template; opened in ≤ 0.5 s at 1,000,000", "%.0f bytes a template, opened in %.1f ms", float64(x.Bytes())/float64(x.Len()), ms(opening))
	return b.log(s, texts, name)
}

// log searches the lines of a log, one in fifty of which holds an error.
func (b *bench) log(s *match.Searcher, texts []string, name string) error {
	const lines = 100_000
	all := make([]string, lines)
	for i := range all {
		if i%50 == 0 {
			all[i] = "2026-01-02T03:04:05.678Z ERROR worker-7 " + texts[i/50%len(texts)]
		} else {
			all[i] = fmt.Sprintf("2026-01-02T03:04:05.678Z INFO  worker-%d GET /items/%d?page=2 200 took=%dms bytes=%d", i%9, i, i%40, i*3)
		}
	}
	var hits []match.Hit
	used, _, err := cpu(func() error {
		for _, l := range all {
			hits = s.Search(hits[:0], l, message.Inside)
		}
		return nil
	})
	if err != nil {
		return err
	}
	b.add("searching log lines, one in fifty an error, "+name, "≥ 200,000 a second at 27,000, ≥ 150,000 at 100,000", "%.0f a CPU second", lines/used.Seconds())
	return nil
}
