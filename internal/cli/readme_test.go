package cli

import (
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestReadme runs every command of the README as it is written, in the small repositories of testdata/readme.txtar, and compares what
// it prints with what the README shows. A line "…" stands for any lines.
//
// Three things stand in for what a test has not: the host of URLs is one on this machine, pytest and tail are scripts that print a file,
// and of make's targets only the names are looked up.
func TestReadme(t *testing.T) {
	root := readmeRoot(t)
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	programs, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(&cgi.Handler{Path: filepath.Join(strings.TrimSpace(string(programs)), "git-http-backend"),
		Env: []string{"GIT_PROJECT_ROOT=" + filepath.Join(root, "served"), "GIT_HTTP_EXPORT_ALL=1"}, Stderr: new(strings.Builder)})
	defer server.Close()
	n := 0
	for _, block := range regexp.MustCompile("(?s)```console\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		var command string
		var want []string
		run := func() {
			if command != "" {
				n++
				runReadme(t, root, strings.ReplaceAll(command, "https://example.org", server.URL), want, string(makefile))
			}
			want = nil
		}
		for _, line := range strings.Split(strings.TrimSuffix(block[1], "\n"), "\n") {
			if next, ok := strings.CutPrefix(line, "$ "); ok {
				run()
				command = next
			} else {
				want = append(want, line)
			}
		}
		run()
	}
	if n < 10 {
		t.Errorf("%d commands in the README", n)
	}
}

func runReadme(t *testing.T, root, command string, want []string, makefile string) {
	t.Helper()
	if target, ok := strings.CutPrefix(command, "make "); ok {
		if !strings.Contains(makefile, "\n"+target+":") {
			t.Errorf("%s: there is no such target", command)
		}
		return
	}
	c := exec.CommandContext(t.Context(), "sh", "-c", command)
	c.Dir = filepath.Join(root, "project")
	c.Env = append(append(os.Environ(), environment(root)...), "PATH="+filepath.Join(root, "bin")+":"+os.Getenv("PATH"))
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		t.Errorf("%s: %v\n%s%s", command, err, out, stderr.String())
		return
	}
	if len(want) > 0 && !shows(strings.Split(strings.TrimSuffix(string(out), "\n"), "\n"), want) {
		t.Errorf("%s prints\n%s\nand the README says\n%s", command, out, strings.Join(want, "\n"))
	}
}

// shows reports whether lines are those that are wanted, where one that is "…" alone stands for any.
func shows(got, want []string) bool {
	if len(want) == 0 {
		return len(got) == 0
	}
	if strings.TrimSpace(want[0]) == "…" {
		for i := range len(got) + 1 {
			if shows(got[i:], want[1:]) {
				return true
			}
		}
		return false
	}
	return len(got) > 0 && got[0] == want[0] && shows(got[1:], want[1:])
}

// readmeRoot lays the repositories out: the one that commands run in with bin/wherefore, its neighbour, and a served one.
func readmeRoot(t *testing.T) string {
	t.Helper()
	ar, err := txtar.ParseFile("testdata/readme.txtar")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	for _, f := range ar.Files {
		name := filepath.Join(root, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range []string{"bin/wherefore", "project/bin/wherefore"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, link)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(self, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("sh", "prepare.sh")
	c.Dir, c.Env = root, append(append(os.Environ(), environment(root)...), "PATH="+filepath.Join(root, "bin")+":"+os.Getenv("PATH"))
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("prepare: %v\n%s", err, out)
	}
	return root
}
