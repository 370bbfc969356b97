package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes this test binary the command itself where it is called by its name, so that scripts run real processes.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"wherefore": func() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs the archives of testdata/script. Besides the commands of testscript they have
//
//	exits STATUS PROGRAM ARG…   the program ends with that very status
//	commit DIR TAG              a git repository is made of a folder, or goes on, with one more commit and a tag
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE") != "",
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, environment(e.WorkDir)...)
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name == "root" {
				return os.Geteuid() == 0, nil
			}
			return false, errors.New("unknown condition " + name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "commit": commit},
	})
}

// environment keeps what runs below dir apart from the machine's own settings and catalogs.
func environment(dir string) []string {
	return []string{"HOME=" + dir, "XDG_CACHE_HOME=" + filepath.Join(dir, "cache"), "XDG_DATA_HOME=" + filepath.Join(dir, "data"),
		"WHEREFORE_CATALOG=" + filepath.Join(dir, "catalog.db"), "NO_COLOR=", "TERM=xterm", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org",
		"GIT_AUTHOR_DATE=1700000000 +0000", "GIT_COMMITTER_DATE=1700000000 +0000"}
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS PROGRAM ARG…")
	}
	want, err := strconv.Atoi(args[0])
	if err != nil {
		ts.Fatalf("exits %s: not a number", args[0])
	}
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if x := (*exec.ExitError)(nil); errors.As(err, &x) {
		got = x.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("%s: exit status %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

func commit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: commit DIR TAG")
	}
	dir := ts.MkAbs(args[0])
	for _, line := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "--allow-empty", "-m", args[1]}, {"tag", args[1]}} {
		if err := ts.Exec("git", append([]string{"-C", dir}, line...)...); err != nil {
			ts.Fatalf("git %s: %v", strings.Join(line, " "), err)
		}
	}
}
