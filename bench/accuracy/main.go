// Accuracy measures what find answers on errors that really happened: it runs test suites under recorders, indexes their sources,
// looks every recorded message up, alone and with its traceback, and writes bench/accuracy.md.
//
// Usage: go run ./bench/accuracy [-seconds N] [-keep DIR] [-features FILE] [-only NAME]
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/index"
	"github.com/wherefore-dev/wherefore/internal/lang/all"
	"github.com/wherefore-dev/wherefore/internal/match"
	"github.com/wherefore-dev/wherefore/internal/source"
)

// record is one error that happened.
type record struct {
	Type      string            `json:"type"`
	Message   string            `json:"message"`
	Path      string            `json:"path"` // relative to the root of the sources
	Line      int               `json:"line"`
	Made      string            `json:"made"` // path:line where the value was constructed, if elsewhere
	Function  string            `json:"function"`
	Locals    map[string]string `json:"locals"` // repr of simple values
	Traceback string            `json:"traceback"`
}

// truth is what one recorder saw.
type truth struct {
	name    string
	root    string // the sources that were run
	records []record
}

func main() {
	seconds := flag.Int("seconds", 150, "how long each recorder runs")
	keep := flag.String("keep", "", "folder for records and catalogs; what is there is used again")
	features := flag.String("features", "", "file for what the model of the probability is fitted on, see fit.go")
	only := flag.String("only", "", "the one corpus to record and measure; its report goes to standard output")
	flag.Parse()
	if err := run(context.Background(), *seconds, *keep, *features, *only); err != nil {
		fmt.Fprintln(os.Stderr, "accuracy:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, seconds int, keep, features, only string) error {
	dir := keep
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "accuracy-"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	var truths []truth
	for _, r := range recorders() {
		if only != "" && r.name != only {
			continue
		}
		t, err := r.run(ctx, dir, seconds)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s: %d errors recorded\n", t.name, len(t.records))
		if len(t.records) > 0 {
			truths = append(truths, *t)
		}
	}
	var results []result
	for i := range truths {
		r, err := measure(ctx, dir, truths, i)
		if err != nil {
			return err
		}
		results = append(results, *r)
	}
	if features != "" {
		if err := writeWeighings(features, results); err != nil {
			return err
		}
	}
	if only != "" {
		_, err := os.Stdout.WriteString(report(results))
		return err
	}
	return os.WriteFile("bench/accuracy.md", []byte(report(results)), 0o644)
}

// open indexes the sources of a truth into a catalog of its own and opens a finder on it.
func open(ctx context.Context, dir string, t *truth) (*match.Finder, func(), error) {
	path := filepath.Join(dir, t.name+".db")
	languages := all.Languages()
	repo, err := source.Open(ctx, t.root, source.Options{Languages: index.Files(languages)})
	if err != nil {
		return nil, nil, err
	}
	c, err := catalog.OpenWrite(ctx, path, nil)
	if err != nil {
		return nil, nil, err
	}
	if _, err := index.Run(ctx, index.Options{Catalog: c, Repo: repo, Name: t.name, Languages: languages}); err != nil {
		return nil, nil, err
	}
	x, err := index.OpenMatch(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	return match.NewFinder(c, x, languages, all.Traces()), func() { x.Close(); c.Close(); repo.Close() }, nil
}

// lines reads JSON lines.
func lines(path string) ([]record, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []record
	in := bufio.NewReader(f)
	for {
		line, err := in.ReadBytes('\n')
		var r record
		if len(line) > 1 && json.Unmarshal(line, &r) == nil && strings.TrimSpace(r.Message) != "" {
			out = append(out, r)
		}
		if err != nil {
			return out, nil
		}
	}
}

// timed runs a command for at most its time; a time-out is no fault, since what was recorded until then counts.
func timed(ctx context.Context, limit time.Duration, dir string, env []string, output *os.File, name string, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	c.Dir, c.Stdout, c.Stderr = dir, output, output
	c.Env = append(os.Environ(), env...)
	c.WaitDelay = 5 * time.Second
	err := c.Run()
	if ctx.Err() != nil {
		return nil
	}
	if _, failed := err.(*exec.ExitError); failed {
		return nil // failing tests record errors too
	}
	return err
}

func machine() string {
	cpu := "unknown processor"
	if data, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for l := range strings.Lines(string(data)) {
			if name, ok := strings.CutPrefix(l, "model name"); ok {
				cpu = strings.TrimSpace(strings.TrimLeft(name, "\t :"))
				break
			}
		}
	}
	return fmt.Sprintf("%s, %d processors, %s", cpu, runtime.NumCPU(), runtime.Version())
}
