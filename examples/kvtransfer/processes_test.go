package kvtransfer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// limit is the longest that a command may take. Only a failing test waits that long.
const limit = 2 * time.Minute

// workshop is where a test keeps the commands and the model.
type workshop struct {
	t   *testing.T
	dir string
}

// newWorkshop builds the commands and writes a small model of DeepSeek V4's kind.
func newWorkshop(t *testing.T) *workshop {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds and runs commands")
	}
	w := &workshop{t, t.TempDir()}
	if out, err := exec.Command("go", "build", "-o", w.dir+string(filepath.Separator), "./cmd/...").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	model := `{"family": "compressed", "ratios": [0, 0, 4, 128, 4, 128, 4, 0], "next_n": 1, "page_size": 128, "head_dim": 80, "rope_dim": 16}`
	if err := os.WriteFile(w.model(), []byte(model), 0o644); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *workshop) model() string { return filepath.Join(w.dir, "model.json") }

// run runs a command to its end and returns its exit status and what it printed.
func (w *workshop) run(name string, args ...string) (status int, out, errOut string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(w.dir, name), args...)
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		w.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}

// server is a running process.
type server struct {
	w     *workshop
	cmd   *exec.Cmd
	ready string // the line that it printed
}

// start starts a server and waits for its line. It is stopped at the end of the test, and must end well then.
func (w *workshop) start(name string, args ...string) *server {
	w.t.Helper()
	s := &server{w: w, cmd: exec.Command(filepath.Join(w.dir, name), args...)}
	var errOut bytes.Buffer
	s.cmd.Stderr = &errOut
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { s.stop(syscall.SIGTERM) })
	watch := time.AfterFunc(limit, func() { _ = s.cmd.Process.Kill() })
	defer watch.Stop()
	for !strings.HasSuffix(s.ready, "\n") { // a line is short, and comes at once
		b := make([]byte, 1)
		if _, err := out.Read(b); err != nil {
			w.t.Fatalf("%s ends before it is ready: %v: %s", name, err, &errOut)
		}
		s.ready += string(b)
	}
	return s
}

// at is the address behind a word of the line.
func (s *server) at(word string) string {
	s.w.t.Helper()
	m := regexp.MustCompile(word + ` ([0-9.]+:\d+)`).FindStringSubmatch(s.ready)
	if m == nil {
		s.w.t.Fatalf("no %s in %q", word, s.ready)
	}
	return m[1]
}

// stop ends the process, once. After SIGTERM it must end by itself, with status 0.
func (s *server) stop(sig syscall.Signal) {
	s.w.t.Helper()
	if s.cmd.ProcessState != nil {
		return
	}
	_ = s.cmd.Process.Signal(sig)
	watch := time.AfterFunc(limit, func() { _ = s.cmd.Process.Kill() })
	defer watch.Stop()
	if err := s.cmd.Wait(); err != nil && sig == syscall.SIGTERM {
		s.w.t.Errorf("%s: %v", s.cmd.Args, err)
	}
}

// stage starts prefill stage i of two.
func (w *workshop) stage(boot string, i string, more ...string) *server {
	w.t.Helper()
	args := []string{"--model", w.model(), "--bootstrap", boot, "--pp", "2", "--pp-rank", i, "--pages", "40", "--slots", "4",
		"--chunk-tokens", "256", "--log", "error"}
	return w.start("kvprefill", append(args, more...)...)
}

// TestProcesses runs the service as processes: requests arrive, a corrupted byte is noticed, a room is aborted, a stage is killed and
// replaced, and a decode rank of another version is turned away with the reason.
func TestProcesses(t *testing.T) {
	w := newWorkshop(t)
	boot := w.start("kvboot", "--listen", "127.0.0.1:0").at("bootstrap")
	first, second := w.stage(boot, "0"), w.stage(boot, "1")
	rank := []string{"--model", w.model(), "--pages", "40", "--slots", "4", "--log", "error"}
	decode := w.start("kvdecode", rank...).at("control")
	service := func(second *server, decode string) []string {
		return []string{"--prefill", first.at("control") + "," + second.at("control"), "--decode", decode, "--bootstrap", boot}
	}
	call := func(args ...string) (int, string, string) { return w.run("kvctl", args...) }

	load := append([]string{"run", "--requests", "40", "--max-tokens", "1000", "--seed", "3", "--json"}, service(second, decode)...)
	status, out, errOut := call(load...)
	var sum struct{ Arrived, Bytes int }
	if err := json.Unmarshal([]byte(out), &sum); status != 0 || err != nil || sum.Arrived != 40 || sum.Bytes == 0 {
		t.Fatalf("status %d: %s%s", status, out, errOut)
	}

	if status, _, errOut := call("fault", second.at("control"), "flip", "--after", "50000"); status != 0 {
		t.Errorf("fault: %s", errOut)
	}
	one := append([]string{"request", "--tokens", "1000", "--checksum"}, service(second, decode)...)
	if status, _, errOut := call(append(one, "--room", "5")...); status != 1 || !strings.Contains(errOut, "request in room 5 failed") {
		t.Errorf("with a wrong bit: status %d, %s", status, errOut)
	}
	again(t, "after the wrong bit", func(room string) (int, string, string) { return call(append(one, "--room", room)...) })

	if status, _, errOut := call("abort", decode, "--room", "99"); status != 1 || !strings.Contains(errOut, "room 99 is not open") {
		t.Errorf("abort of no room: status %d, %s", status, errOut)
	}
	if status, out, _ := call("status", decode, "--room", "5"); status != 0 || !strings.Contains(out, "room 5: Failed") {
		t.Errorf("status of the room: status %d, %s", status, out)
	}
	if status, out, _ := call("status", decode, first.at("control")); status != 0 || !strings.Contains(out, "received_bytes") || !strings.Contains(out, "sent_bytes") {
		t.Errorf("status of ranks: status %d, %s", status, out)
	}

	second.stop(syscall.SIGKILL)
	if status, _, errOut := call(append(one, "--room", "6")...); status != 1 || !strings.Contains(errOut, "control server did not answer") {
		t.Errorf("with a dead stage: status %d, %s", status, errOut)
	}
	second = w.stage(boot, "1")
	one = append([]string{"request", "--tokens", "1000", "--checksum"}, service(second, decode)...)
	again(t, "with the stage's successor", func(room string) (int, string, string) { return call(append(one, "--room", room)...) })

	old := w.start("kvdecode", append(rank, "--form", "old")...).at("control")
	mixed := append([]string{"request", "--room", "7"}, service(second, old)...)
	if status, _, errOut := call(mixed...); status != 1 || !strings.Contains(errOut, "prefill and decode lay the model out differently") {
		t.Errorf("mixed versions: status %d, %s", status, errOut)
	}
}

// again runs requests in rooms of their own until one arrives, as a client would that tries again.
func again(t *testing.T, when string, request func(room string) (int, string, string)) {
	t.Helper()
	var errOut string
	for n, until := 0, time.Now().Add(limit); time.Now().Before(until); n++ {
		var status int
		if status, _, errOut = request("1" + strings.Repeat("0", n%15+1)); status == 0 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("%s no request arrives: %s", when, errOut)
}

// TestCommandLines holds commands to exit status 2 for wrong usage, and 1 with a reason for what cannot be run.
func TestCommandLines(t *testing.T) {
	w := newWorkshop(t)
	for _, k := range []struct {
		status int
		want   string
		line   string
	}{
		{2, "unknown flag", "kvboot --colour"},
		{2, "unknown command", "kvboot now"},
		{1, "HTTP server cannot listen on 127.0.0.1:99999", "kvboot --listen 127.0.0.1:99999"},
		{1, `model description "" is of no use for a rank`, "kvprefill"},
		{1, "prefill engine of several ranks needs a bootstrap server", "kvprefill --model MODEL --pp 2"},
		{1, "layout: stage is 2, but must lie between 0 and 1", "kvprefill --model MODEL --pp 2 --pp-rank 2"},
		{1, `stage "3" is not START:END`, "kvdecode --model MODEL --stage 3"},
		{1, `log level "loud" does not exist`, "kvdecode --model MODEL --log loud"},
		{1, `prefill rank has mode "loose", want strict or compatible`, "kvprefill --model MODEL --mode loose"},
		{1, `layout: unknown form "next"`, "kvdecode --model MODEL --form next"},
		{1, "router needs the control address", "kvctl run"},
		{1, "router cannot make a load with requests=0", "kvctl run --prefill 127.0.0.1:1 --decode 127.0.0.1:1 --requests 0"},
		{1, "control server did not answer", "kvctl request --prefill 127.0.0.1:1 --decode 127.0.0.1:1"},
		{1, `no fault is called "bend"`, "kvctl fault 127.0.0.1:1 bend"},
		{2, "requires at least 1 arg", "kvctl status"},
		{2, "unknown command", "kvctl dance"},
	} {
		words := strings.Fields(strings.ReplaceAll(k.line, "MODEL", w.model()))
		status, out, errOut := w.run(words[0], words[1:]...)
		if status != k.status || out != "" || !strings.HasPrefix(errOut, words[0]+": ") || !strings.Contains(errOut, k.want) {
			t.Errorf("%s: status %d, %q, %q", k.line, status, out, errOut)
		}
	}
}
