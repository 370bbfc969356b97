package cli

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/lang/all"
)

// The command serves every door, and ends when it is told to.
func TestServe(t *testing.T) {
	indexed(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out, in := io.Pipe()
	a := &app{stdin: strings.NewReader(""), stdout: io.Discard, stderr: in, languages: all.Languages()}
	root := a.root()
	root.SetArgs([]string{"serve", "--listen", "127.0.0.1:0"})
	ended := make(chan error, 1)
	go func() {
		ended <- root.ExecuteContext(ctx)
		in.Close()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	go io.Copy(io.Discard, out)
	_, rest, ok := strings.Cut(line, "http://")
	if err != nil || !ok {
		t.Fatalf("it says %q (%v); it ended with %v", line, err, <-ended)
	}
	address, _, _ := strings.Cut(rest, " ")
	for path, want := range map[string]string{"/": "Which line raised", "/api/repos": `"name"`, "/readyz": "ready"} {
		resp, err := http.Get("http://" + address + path)
		if body := read(t, resp, err); !strings.Contains(body, want) {
			t.Errorf("%s: %s lacks %q", path, resp.Status, want)
		}
	}
	resp, err := http.Post("http://"+address+"/mcp", "application/json", strings.NewReader(`{}`))
	if read(t, resp, err); resp.StatusCode == http.StatusNotFound {
		t.Error("/mcp is not there")
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
