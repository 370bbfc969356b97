// Bench measures the figures of bench/results.md, all in one run, and rewrites it. With the name of a part (indexing, finding,
// matching, annotating, serving; finding and matching need indexing before them, serving finding) it measures that part and replaces its rows.
//
// "bench serving CATALOG BINARY" measures the server alone, on a catalog that is there, and replaces its rows.
//
// CPU times are those of this process (user and system, garbage collection included), read around the work.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"
)

// row is a line of the table.
type row struct{ what, aim, measured string }

type bench struct {
	ctx  context.Context
	dir  string
	rows []row
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	// As the command does when it indexes.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(640 << 20)
	b := &bench{ctx: context.Background(), dir: dir}
	if len(os.Args) == 4 && os.Args[1] == "serving" {
		if err := errors.Join(b.serve(os.Args[3], os.Args[2]), b.merge()); err != nil {
			return err
		}
		return os.WriteFile("bench/results.md", []byte(b.report()), 0o644)
	}
	for _, part := range []struct {
		name string
		run  func() error
	}{{"indexing", b.indexing}, {"finding", b.finding}, {"matching", b.matching}, {"annotating", b.annotating}, {"serving", b.serving}} {
		if len(os.Args) > 1 && !slices.Contains(os.Args[1:], part.name) {
			continue
		}
		if err := part.run(); err != nil {
			return err
		}
	}
	if len(os.Args) > 1 {
		if err := b.merge(); err != nil {
			return err
		}
	}
	return os.WriteFile("bench/results.md", []byte(b.report()), 0o644)
}

func (b *bench) add(what, aim, format string, args ...any) {
	r := row{what, aim, fmt.Sprintf(format, args...)}
	b.rows = append(b.rows, r)
	fmt.Fprintf(os.Stderr, "%s: %s\n", what, r.measured)
}

// merge puts the rows of former runs that were not measured again before those that were.
func (b *bench) merge() error {
	data, err := os.ReadFile("bench/results.md")
	if err != nil {
		return err
	}
	var former []row
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if len(cells) != 3 || strings.HasPrefix(line, "| what ") {
			continue
		}
		r := row{strings.TrimPrefix(cells[0], "| "), cells[1], strings.TrimSuffix(cells[2], " |")}
		if !slices.ContainsFunc(b.rows, func(x row) bool { return x.what == r.what }) {
			former = append(former, r)
		}
	}
	b.rows = append(former, b.rows...)
	return nil
}

func (b *bench) report() string {
	var s strings.Builder
	fmt.Fprintf(&s, "# Figures\n\nMade by `make bench` on %s, in one run; machine: %s, %d processors, shared with others; %s.\nCompare ratios; absolute times of such a machine say little.\n\n| what | aim | measured |\n|---|---|---|\n",
		time.Now().Format(time.DateOnly), cpuName(), runtime.NumCPU(), runtime.Version())
	for _, r := range b.rows {
		fmt.Fprintf(&s, "| %s | %s | %s |\n", r.what, r.aim, r.measured)
	}
	return s.String()
}

func cpuName() string {
	data, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown processor"
	}
	for l := range strings.Lines(string(data)) {
		if name, ok := strings.CutPrefix(l, "model name"); ok {
			return strings.TrimSpace(strings.TrimLeft(name, "\t :"))
		}
	}
	return "unknown processor"
}

// cpu runs f and returns the processor time and the wall time that it took.
func cpu(f func() error) (processor, wall time.Duration, err error) {
	runtime.GC()
	var before, after syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &before); err != nil {
		return 0, 0, err
	}
	start := time.Now()
	err = f()
	wall = time.Since(start)
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &after); err != nil {
		return 0, 0, err
	}
	used := func(u *syscall.Rusage) time.Duration {
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return used(&after) - used(&before), wall, err
}

// files lists the files below root with an ending.
func files(root, ending string) ([]string, int64, error) {
	var out []string
	var size int64
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ending) || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Size() <= 4<<20 {
			out = append(out, path)
			size += info.Size()
		}
		return err
	})
	return out, size, err
}

// pythonLibrary copies the standard library of the Python of this machine, without packages that are installed beside it.
func (b *bench) pythonLibrary() (string, error) {
	out, err := exec.CommandContext(b.ctx, "python3", "-c", "import sysconfig, os; print(os.path.realpath(sysconfig.get_paths()['stdlib']))").Output()
	if err != nil {
		return "", fmt.Errorf("python3: %w", err)
	}
	root := filepath.Join(b.dir, "python")
	if text, err := exec.CommandContext(b.ctx, "cp", "-r", strings.TrimSpace(string(out)), root).CombinedOutput(); err != nil {
		return "", fmt.Errorf("copy the library: %s", text)
	}
	return root, os.RemoveAll(filepath.Join(root, "site-packages"))
}

// goRoot is where the toolchain's library is.
func (b *bench) goRoot() (string, error) {
	out, err := exec.CommandContext(b.ctx, "go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(out)), err
}

// quantile is the q-th part of sorted durations.
func quantile(all []time.Duration, q float64) time.Duration {
	slices.Sort(all)
	return all[min(len(all)-1, int(q*float64(len(all))))]
}
