// Package kvtransfer holds what is true of all packages of the example: that every error is declared once, and that wherefore finds each
// by what it prints.
package kvtransfer

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// list is where the declared errors are written down, one a line, separated by tabs: name, declared text, and a message as it is printed.
// Notes may rely on it. UPDATE=1 writes it anew, and keeps the messages; a difference in a commit means that a text that people
// search for has changed.
const list = "testdata/errors.txt"

// TestErrorsAreDeclaredOnce holds every error to be declared in the file errors.go of its package, under a text of its own, and the list
// to be theirs.
func TestErrorsAreDeclaredOnce(t *testing.T) {
	all := declarations(t)
	known := messages(t)
	texts := map[string]string{}
	var lines strings.Builder
	for _, d := range all {
		if other, ok := texts[d.text]; ok {
			t.Errorf("%s and %s have the same text %q", other, d.name, d.text)
		}
		texts[d.text] = d.name
		message, ok := known[d.name]
		if !ok || !d.prints(message) {
			message = d.filled()
		}
		fmt.Fprintf(&lines, "%s\t%s\t%s\n", d.name, d.text, message)
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(list, []byte(lines.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	if lines.String() != string(want) {
		t.Errorf("%s is not what is declared; see what changed with UPDATE=1", list)
	}
}

// messages reads the messages of the list, by name.
func messages(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(f) == 3 {
			out[f[0]] = f[2]
		}
	}
	return out
}

// TestWherefore indexes this repository with wherefore, built from it, and asks it about the errors of the example.
func TestWherefore(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and runs wherefore")
	}
	w := wherefore(t)
	t.Run("errors", func(t *testing.T) { errorsAreFound(t, w) })
	t.Run("readme", func(t *testing.T) { readmeIsTrue(t, w) })
	t.Run("notes", func(t *testing.T) { notesAreInOrder(t, w) })
}

// errorsAreFound holds wherefore's list of errors to be the declared ones, no more and no less, and what each prints, with figures in it, to
// lead to its own sites.
func errorsAreFound(t *testing.T, w *command) {
	t.Helper()
	all := declarations(t)
	owner := map[site]string{}
	found := map[string]bool{}
	for _, e := range entries(t, w) {
		for _, s := range e.Sites {
			i := slices.IndexFunc(all, func(d declaration) bool { return d.prints(s.Template) && d.isType(s.Type) })
			if i < 0 {
				t.Errorf("%s:%d raises what is not declared: %s %q", s.Path, s.Line, s.Type, s.Template)
				continue
			}
			found[all[i].name] = true
			owner[s] = all[i].name
		}
	}
	for _, d := range all {
		if !found[d.name] {
			t.Errorf("the index has no site of %s %q", d.name, d.text)
		}
	}
	printed := messages(t)
	for name, a := range ask(t, w, printed) {
		if why := a.strays(func(s site) bool { return owner[s] == name }); why != "" {
			t.Errorf("%s: %s\n%s", name, printed[name], why)
		}
	}
}

// readmeIsTrue holds the answer that the README shows to what wherefore says: the place, the figures and the range.
func readmeIsTrue(t *testing.T, w *command) {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, ok := strings.Cut(string(text), "$ wherefore find \"")
	message, rest, ok2 := strings.Cut(block, "\"\n")
	shown, _, ok3 := strings.Cut(rest, "```")
	if !ok || !ok2 || !ok3 {
		t.Fatal("the README has no answer of wherefore")
	}
	answer := string(w.run(t, message, "find", "-"))
	for line := range strings.Lines(shown) {
		if line = strings.TrimSpace(line); !strings.Contains(answer, line) {
			t.Errorf("the README shows %q, which is not in\n%s", line, answer)
		}
	}
}

// site is a place that raises, as wherefore lists it and names it in answers.
type site struct {
	Path     string `json:"path"`
	Line     int    `json:"line"`
	Type     string `json:"type"`
	Template string `json:"template"`
}

// answer is what wherefore makes of one observation.
type answer struct {
	Decision   string `json:"decision"`
	Why        string `json:"why"`
	Candidates []struct {
		site
		Probability float64 `json:"probability"`
	} `json:"candidates"`
}

// strays says what is wrong with an answer that should name an error's own sites alone; "" where it does. Candidates that are much less
// probable than the first are no part of the answer.
func (a answer) strays(own func(site) bool) string {
	if a.Decision == "refused" || len(a.Candidates) == 0 {
		return a.Decision + ": " + a.Why
	}
	for _, c := range a.Candidates {
		if c.Probability > a.Candidates[0].Probability/8 && !own(c.site) {
			return fmt.Sprintf("%s: %s at %s:%d, %s", a.Decision, a.Why, c.Path, c.Line, c.Template)
		}
	}
	return ""
}

// command is wherefore, built from this repository, with a catalog of a test.
type command struct{ bin, catalog string }

// wherefore builds the command and indexes this repository.
func wherefore(t *testing.T) *command {
	t.Helper()
	dir := t.TempDir()
	w := &command{filepath.Join(dir, "wherefore"), filepath.Join(dir, "catalog.db")}
	build := exec.Command("go", "build", "-o", w.bin, ".")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	w.run(t, "", "index", "../..", "--name", "this")
	return w
}

// run runs the command and returns its output.
func (w *command) run(t *testing.T, in string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(w.bin, append(args, "--catalog", w.catalog)...)
	cmd.Stdin = strings.NewReader(in)
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != 1 { // 1 says that nothing was found
		t.Fatalf("wherefore %v: %v: %s", args, err, &errOut)
	}
	return out
}

// serve starts the web site on a free port of loopback until the test ends, and returns its address.
func (w *command) serve(t *testing.T) string {
	t.Helper()
	cmd := exec.Command(w.bin, "serve", "--listen", "127.0.0.1:0", "--rate", "0", "--catalog", w.catalog)
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait() // it was killed
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	address := regexp.MustCompile(`http://[0-9.:]+`).FindString(line)
	if address == "" {
		t.Fatalf("wherefore serve says %q, %v", line, err)
	}
	return address
}

// entry is an error of the example as wherefore lists it, with the sites of the example alone.
type entry struct {
	ID    string `json:"id"`
	Kind  string `json:"kind"`
	Sites []site `json:"sites"`
}

// entries lists the errors of the example, without those of tests, and without logs and HTTP answers, whose texts are those of errors.
func entries(t *testing.T, w *command) []entry {
	t.Helper()
	var out []entry
	dec := json.NewDecoder(bytes.NewReader(w.run(t, "", "list", "--json", "--path", "examples/kvtransfer/")))
	for dec.More() {
		var e entry
		if err := dec.Decode(&e); err != nil {
			t.Fatal(err)
		}
		e.Sites = slices.DeleteFunc(e.Sites, func(s site) bool {
			return strings.HasSuffix(s.Path, "_test.go") || !strings.HasPrefix(s.Path, "examples/kvtransfer/")
		})
		if e.Kind == "error" && len(e.Sites) > 0 {
			out = append(out, e)
		}
	}
	if len(out) == 0 {
		t.Fatal("the index lists no errors")
	}
	return out
}

// ask looks messages up and returns the answers to their first observations: where a message has the text of its cause behind it, that is
// another one. A site that was found is the only candidate of its answer.
func ask(t *testing.T, w *command, texts map[string]string) map[string]answer {
	t.Helper()
	var in bytes.Buffer
	enc := json.NewEncoder(&in)
	for id, text := range texts {
		if err := enc.Encode(map[string]string{"id": id, "text": text}); err != nil {
			t.Fatal(err)
		}
	}
	out := map[string]answer{}
	dec := json.NewDecoder(bytes.NewReader(w.run(t, in.String(), "find", "--batch", "--json")))
	for dec.More() {
		var line struct {
			ID           string   `json:"id"`
			Observations []answer `json:"observations"`
		}
		if err := dec.Decode(&line); err != nil {
			t.Fatal(err)
		}
		if len(line.Observations) == 0 {
			t.Errorf("%s: no observation in %q", line.ID, texts[line.ID])
			continue
		}
		a := line.Observations[0]
		if a.Decision == "found" {
			a.Candidates = a.Candidates[:1]
		}
		out[line.ID] = a
	}
	if len(out) < len(texts) {
		t.Errorf("%d answers to %d messages", len(out), len(texts))
	}
	return out
}
