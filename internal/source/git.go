package source

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// command prepares git. It never asks, pages, repairs or collects, and runs nothing that the repository names:
//
//   - hooks and file system monitors are switched off, replaced objects are not replaced (they would be filed under a wrong hash);
//   - objects that a partial clone lacks are not fetched, and no transport is allowed but in fetching;
//   - what would run filters or check signatures (show, log, diff, checkout) is not used at all; see differs for status.
//
// safe.directory is given up: it protects from what the above rules out, and would refuse the folders that containers mount.
func command(ctx context.Context, dir, protocols string, args ...string) *exec.Cmd {
	base := []string{"--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "safe.directory=*",
		"-c", "core.quotePath=false", "-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "log.showSignature=false"}
	c := exec.CommandContext(ctx, "git", append(base, args...)...)
	c.Dir = dir
	c.Env = append(outerEnvironment(), "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1",
		"GIT_NO_REPLACE_OBJECTS=1", "GIT_ALLOW_PROTOCOL="+protocols, "LC_ALL=C", "PWD="+dir)
	// git starts programs of its own (ssh, upload-pack): they form a group that is ended as a whole.
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = 2 * time.Second
	return c
}

// noProtocol is no name of a transport: git allows none then.
const noProtocol = "none"

// outerEnvironment is the environment without what points git at a certain repository, as is set while a hook runs.
func outerEnvironment() []string {
	local := []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
		"GIT_NAMESPACE", "GIT_PREFIX", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE", "GIT_REPLACE_REF_BASE", "GIT_IMPLICIT_WORK_TREE",
		"GIT_INTERNAL_SUPER_PREFIX", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
		"GIT_DEFAULT_HASH", "GIT_CONFIG", "GIT_TRACE", "GIT_EXTERNAL_DIFF"}
	return slices.DeleteFunc(os.Environ(), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return slices.Contains(local, name)
	})
}

// maxOutput bounds what is kept of git's output where it is kept as a whole; maxRecord bounds one record where it is streamed.
const (
	maxOutput = 64 << 20
	maxRecord = 1 << 20
)

// localWithin bounds the time of a command on a local repository. It is far beyond what the largest take, and ends the wait for a pipe that
// somebody put where git reads.
const localWithin = 15 * time.Minute

// git runs git on a local repository and returns what it prints. Its complaint is in the error, in one line without credentials.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	within, cancel := context.WithTimeout(ctx, localWithin)
	defer cancel()
	return run(ctx, command(within, dir, noProtocol, args...))
}

// run runs a command of git and returns what it prints. ctx is the caller's, whose end is no fault of git.
func run(ctx context.Context, c *exec.Cmd) (string, error) {
	out, complaint := tail{limit: maxOutput}, tail{limit: maxComplaint}
	c.Stdout, c.Stderr = &out, &complaint
	if err := c.Run(); err != nil {
		return "", gitError(ctx, err, &complaint)
	}
	if out.cut {
		return "", fmt.Errorf("%w: %s printed more than %d bytes", ErrGit, c.Args[len(c.Args)-1], maxOutput)
	}
	return string(out.data), nil
}

// records runs git on a local repository and hands out what it prints record by record, each ended by a NUL. The record is valid
// during the call alone. An error of the function ends git.
func records(ctx context.Context, dir string, each func(record []byte) error, args ...string) error {
	within, cancel := context.WithTimeout(ctx, localWithin)
	defer cancel()
	c := command(within, dir, noProtocol, args...)
	complaint := tail{limit: maxComplaint}
	c.Stderr = &complaint
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		return gitError(ctx, err, &complaint)
	}
	scan := bufio.NewScanner(out)
	scan.Buffer(make([]byte, 64<<10), maxRecord)
	scan.Split(splitNUL)
	for err == nil && scan.Scan() {
		err = each(scan.Bytes())
	}
	// Of output that was cut off, git says why.
	cut := errors.Is(scan.Err(), io.ErrUnexpectedEOF)
	if err == nil && !cut {
		err = scan.Err()
	}
	if err != nil {
		cancel()
		_ = c.Wait() // it was ended, and says so
		return err
	}
	if err := c.Wait(); err != nil {
		return gitError(ctx, err, &complaint)
	}
	if cut {
		return fmt.Errorf("%w: its output is cut off", ErrGit)
	}
	return nil
}

// splitNUL is a split function for records that are ended by a NUL. One without it is no record: git was cut off.
func splitNUL(data []byte, atEOF bool) (int, []byte, error) {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF && len(data) > 0 {
		return 0, nil, io.ErrUnexpectedEOF
	}
	return 0, nil, nil
}

// gitError says in one line why git failed.
func gitError(ctx context.Context, err error, complaint *tail) error {
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("%w: it is not installed, and is needed to read repositories (a plain folder needs none)", ErrGit)
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: it did not answer within %v", ErrGit, localWithin)
	}
	return fmt.Errorf("%w: %s", ErrGit, complaint.line(err))
}

// maxComplaint bounds what is kept of a complaint: its end, where git says why it stopped.
const maxComplaint = 8 << 10

// tail is a writer that keeps the last bytes that were written.
type tail struct {
	data  []byte
	limit int
	cut   bool
}

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.data = append(t.data, p...)
	if over := len(t.data) - t.limit; over > 0 {
		t.cut = true
		t.data = t.data[:copy(t.data, t.data[over:])]
	}
	return len(p), nil
}

// line is what a complaint says in one line: that which git calls fatal or an error, otherwise the last.
func (t *tail) line(err error) string {
	last := ""
	for line := range strings.Lines(string(t.data)) {
		line = strings.TrimSpace(line)
		if text, ok := strings.CutPrefix(line, "fatal: "); ok {
			return withoutCredentials(text)
		}
		if line != "" && !strings.HasPrefix(last, "error: ") {
			last = line
		}
	}
	if last == "" {
		last = err.Error()
	}
	return withoutCredentials(strings.TrimPrefix(last, "error: "))
}

// detect finds out whether the folder belongs to a git repository, and to which part of it.
func (r *Repository) detect(ctx context.Context) error {
	out, err := git(ctx, r.dir, "rev-parse", "--is-bare-repository", "--is-inside-git-dir", "--absolute-git-dir", "--show-prefix")
	if err != nil {
		if ctx.Err() == nil && (strings.Contains(err.Error(), "not a git repository") || !hasGit(r.dir)) {
			return nil // a plain folder
		}
		return fmt.Errorf("%s: %w", r.location, err)
	}
	lines := strings.Split(out, "\n")
	if len(lines) < 4 {
		return fmt.Errorf("%s: %w: it says %q of the folder", r.location, ErrGit, out)
	}
	switch {
	case lines[0] == "true" || lines[1] == "true":
		// Of a git directory the objects are read; a folder inside one is a folder.
		if !sameFolder(lines[2], r.dir) {
			return nil
		}
		r.bare = true
	case lines[3] != "":
		if r.isIgnored(ctx) {
			return nil // what the repository ignores is not part of it
		}
		r.prefix = lines[3]
	}
	r.git = true
	if remote, err := git(ctx, r.dir, "remote", "get-url", "origin"); err == nil {
		r.origin = withoutCredentials(strings.TrimSpace(remote))
	}
	return ctx.Err()
}

// isIgnored reports whether the rules of the repository leave the folder out, and it tracks nothing in it all the same.
func (r *Repository) isIgnored(ctx context.Context) bool {
	if _, err := git(ctx, r.dir, "check-ignore", "-q", "."); err != nil {
		return false
	}
	tracked := errors.New("tracked")
	err := records(ctx, r.dir, func([]byte) error { return tracked }, "ls-files", "-z", "--", ".")
	return !errors.Is(err, tracked)
}

// sameFolder reports whether two paths are of one folder.
func sameFolder(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
