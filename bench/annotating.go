package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/message"
)

// Sizes of what annotate is measured on.
const (
	logLines     = 400_000
	logKinds     = 1000 // of errors in it
	patternLines = 60   // lines that a loop over patterns is measured on: it takes long
)

// annotating measures the command on a log of which one line in fifty holds an error, against catalogs of two sizes, and a loop over
// compiled regular expressions on lines of the same log.
func (b *bench) annotating() error {
	real, err := b.realTemplates()
	if err != nil {
		return err
	}
	binary := filepath.Join(b.dir, "wherefore")
	if text, err := exec.CommandContext(b.ctx, "go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("build: %s", text)
	}
	for _, size := range []int{27_000, 100_000} {
		templates := multiplied(real, size)[:size]
		aim := "≥ 200,000"
		if size == 100_000 {
			aim = "≥ 150,000"
		}
		if err := b.annotate(binary, templates, aim); err != nil {
			return err
		}
	}
	return nil
}

// realTemplates are those of the Go standard library that a line of a log can hold.
func (b *bench) realTemplates() ([]message.Template, error) {
	path := filepath.Join(b.dir, "go.db")
	if _, err := os.Stat(path); err != nil {
		root, err := b.goRoot()
		if err != nil {
			return nil, err
		}
		if _, err := b.index(filepath.Join(root, "src"), "go", path, 2); err != nil {
			return nil, err
		}
	}
	c, err := catalog.OpenRead(b.ctx, path)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	errs, err := c.Errors(b.ctx, 0)
	if err != nil {
		return nil, err
	}
	var out []message.Template
	for i := range errs {
		t, err := message.Decode(errs[i].Template)
		if err != nil {
			return nil, err
		}
		if t.Specific() && t.Weight() > 8 && !strings.Contains(t.Key(), "\n") {
			out = append(out, t)
		}
	}
	return out, nil
}

// annotate measures one size.
func (b *bench) annotate(binary string, templates []message.Template, aim string) error {
	root, path := filepath.Join(b.dir, "sites"), filepath.Join(b.dir, "sites.db")
	defer os.RemoveAll(root)
	if err := writeSites(root, templates); err != nil {
		return err
	}
	os.Remove(path)
	if _, err := b.index(root, "sites", path, 2); err != nil {
		return err
	}
	log := filepath.Join(b.dir, "log")
	lines := logOf(templates)
	if err := os.WriteFile(log, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		return err
	}
	out, err := os.Create(filepath.Join(b.dir, "annotated"))
	if err != nil {
		return err
	}
	defer out.Close()
	c := exec.CommandContext(b.ctx, binary, "--catalog", path, "annotate", "-q", log)
	c.Stdout = out
	start := time.Now()
	if err := c.Run(); err != nil {
		return fmt.Errorf("annotate: %w", err)
	}
	wall := time.Since(start)
	used := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	data, err := os.ReadFile(out.Name())
	if err != nil {
		return err
	}
	found := strings.Count(string(data), "  ← ")
	rate := logLines / used.Seconds()
	b.add(fmt.Sprintf("annotate, lines of a log, one in fifty an error of 1000 kinds, %d templates", len(templates)), aim+" a second on one core",
		"%.0f a CPU second (%.1f s; %.0f %% of the errors at a certain site)", rate, wall.Seconds(), 100*float64(found)/float64(logLines/50))
	if len(templates) > 27_000 {
		return nil
	}
	loop, err := patternLoop(templates, lines)
	if err != nil {
		return err
	}
	b.add(fmt.Sprintf("annotate against a loop over %d compiled regular expressions", len(templates)), "≥ 100 times", "%.0f times (%.1f lines a CPU second)", rate/loop, loop)
	return nil
}

// patternLoop is how many lines a CPU second a loop over patterns reads.
func patternLoop(templates []message.Template, lines []string) (float64, error) {
	var patterns []*regexp.Regexp
	for i := range templates {
		var s strings.Builder
		for _, p := range templates[i].Pieces {
			if p.Hole != nil {
				s.WriteString("(.*?)")
			} else {
				s.WriteString(regexp.QuoteMeta(p.Text))
			}
		}
		re, err := regexp.Compile(s.String())
		if err != nil {
			return 0, err
		}
		patterns = append(patterns, re)
	}
	used, _, err := cpu(func() error {
		for _, l := range lines[:patternLines] {
			for _, re := range patterns {
				re.MatchString(l)
			}
		}
		return nil
	})
	return patternLines / used.Seconds(), err
}

// logOf is a log whose errors are spread over the templates.
func logOf(templates []message.Template) []string {
	out := make([]string, logLines)
	for i := range out {
		if i%50 == 0 {
			t := templates[i/50%logKinds*7919%len(templates)]
			out[i] = "2026-01-02T03:04:05.678Z ERROR worker-7 " + strings.ReplaceAll(sample(t), "\n", " ")
		} else {
			out[i] = fmt.Sprintf("2026-01-02T03:04:05.678Z INFO  worker-%d GET /items/%d?page=2 200 took=%dms bytes=%d", i%9, i, i%40, i*3)
		}
	}
	return out
}

// writeSites writes a program that raises an error of each template.
func writeSites(root string, templates []message.Template) error {
	if err := os.MkdirAll(root, 0o755); err != nil {
		return err
	}
	const perFile = 500
	for first := 0; first < len(templates); first += perFile {
		var s strings.Builder
		for i, t := range templates[first:min(first+perFile, len(templates))] {
			fmt.Fprintf(&s, "def f%d(x):\n    if x > %d:\n        raise ValueError(f\"", i, i)
			holes := 0
			for _, p := range t.Pieces {
				if p.Hole != nil {
					fmt.Fprintf(&s, "{x%d}", holes)
					holes++
					continue
				}
				for _, r := range p.Text {
					switch {
					case r == '{' || r == '}':
						s.WriteString(strings.Repeat(string(r), 2))
					case r == '"' || r == '\\':
						s.WriteString("\\" + string(r))
					case r < ' ':
						fmt.Fprintf(&s, "\\x%02x", r)
					default:
						s.WriteRune(r)
					}
				}
			}
			s.WriteString("\")\n\n")
		}
		if err := os.WriteFile(filepath.Join(root, fmt.Sprintf("m%d.py", first/perFile)), []byte(s.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
