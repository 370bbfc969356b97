package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/index"
	"github.com/wherefore-dev/wherefore/internal/lang/all"
	"github.com/wherefore-dev/wherefore/internal/server"
	"github.com/wherefore-dev/wherefore/internal/service"
)

// ringSource is a program whose errors are found, tied, refused and chained.
const ringSource = `class Ring:
    def take(self, dst, stages, full, half):
        if len(dst) == 2 * full + half:
            return dst[:full]
        window = len(dst) - 2 * full
        if window < 0 or window > len(stages):
            raise ValueError(f"unexpected length {len(dst)}; expected {2 * full + half} (full={full}, half={half}, total={len(stages)})")
        return dst[window:]


def left(name):
    if not name:
        raise LookupError(f"the ring has no entry called <{name}> & nothing near it")


def right(name):
    raise LookupError(f"the ring has no entry called <{name}> & nothing near it")
`

// served starts a server over the catalog that the commands use.
func served(t *testing.T) string {
	t.Helper()
	s, err := service.Open(context.Background(), os.Getenv("WHEREFORE_CATALOG"), service.Options{Languages: all.Languages(), Traces: all.Traces(),
		Sources: index.NewSources(all.Languages(), t.TempDir())})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	srv, err := server.New(s, server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(srv.Handler())
	t.Cleanup(h.Close)
	return h.URL
}

func read(t *testing.T, resp *http.Response, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The terminal, the API and the web site say the same about a report, and about an error.
func TestEveryDoorSaysTheSame(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "ring.py"), []byte(ringSource), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("WHEREFORE_CATALOG", filepath.Join(t.TempDir(), "catalog.db"))
	var out bytes.Buffer
	if status := Main([]string{"index", "-q", dir}, strings.NewReader(""), &out, &out); status != exitDone {
		t.Fatalf("index: %s", out.String())
	}
	base := served(t)
	for _, report := range []string{
		"ValueError: unexpected length 15; expected 8 (full=3, half=2, total=8)",
		"unexpected length 3; expected 8 (full=3, half=2, total=8)",
		"LookupError: the ring has no entry called <b> & nothing near it",
		"the moon has no entry in this catalog",
		"Traceback (most recent call last):\n  File \"/srv/ring.py\", line 17, in right\n    raise LookupError(\nLookupError: the ring has no entry called <c> & nothing near it\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"/srv/ring.py\", line 7, in take\n    raise ValueError(\nValueError: unexpected length 15; expected 8 (full=3, half=2, total=8)\n",
	} {
		out.Reset()
		Main([]string{"find", "--json", "--", report}, strings.NewReader(""), &out, io.Discard)
		terminal := out.String()
		resp, err := http.Post(base+"/api/find", "text/plain", strings.NewReader(report))
		if served := read(t, resp, err); served != terminal {
			t.Errorf("%q: the terminal prints\n%s\nand the API\n%s", report, terminal, served)
		}
		resp, err = http.Get(base + "/?q=" + url.QueryEscape(report))
		seen := words(read(t, resp, err))
		var answer api.Answer
		if err := json.Unmarshal([]byte(terminal), &answer); err != nil {
			t.Fatal(err)
		}
		for _, fact := range facts(&answer) {
			if !strings.Contains(seen, strings.Join(strings.Fields(fact), " ")) {
				t.Errorf("%q: the page lacks %q\n%s", report, fact, seen)
			}
		}
		for _, o := range answer.Observations {
			for _, c := range o.Candidates {
				out.Reset()
				Main([]string{"show", c.Error, "--format", "json"}, strings.NewReader(""), &out, io.Discard)
				var compact bytes.Buffer
				if err := json.Compact(&compact, out.Bytes()); err != nil {
					t.Fatal(err)
				}
				for _, address := range []string{"/api/errors/" + c.Error, "/errors/" + c.Error + ".json"} {
					resp, err := http.Get(base + address)
					if served := strings.TrimSpace(read(t, resp, err)); served != compact.String() {
						t.Errorf("%s: the terminal prints\n%s\nand the server\n%s", address, compact.String(), served)
					}
				}
				out.Reset()
				Main([]string{"show", c.Error, "--format", "markdown"}, strings.NewReader(""), &out, io.Discard)
				resp, err := http.Get(base + "/errors/" + c.Error + ".md")
				if served := read(t, resp, err); served != out.String() {
					t.Errorf("%s as Markdown: the terminal prints\n%s\nand the server\n%s", c.Error, out.String(), served)
				}
			}
		}
	}
}

// facts are what a page that shows an answer has to say.
func facts(a *api.Answer) []string {
	var out []string
	for _, o := range a.Observations {
		out = append(out, o.Message)
		if o.Decision != api.Found {
			out = append(out, o.Why)
		}
		if o.Nearest != nil {
			out = append(out, strings.NewReplacer("{", "", "}", "").Replace(o.Nearest.Template))
		}
		for i, c := range o.Candidates {
			out = append(out, fmt.Sprintf("%s:%d", c.Path, c.Line), c.Function, fmt.Sprintf("%d %%", int(100*c.Probability)))
			if i > 0 || o.Decision == api.Refused {
				continue
			}
			for _, b := range c.Bindings {
				out = append(out, b.Expression+" "+b.Value)
			}
			if c.Condition == nil {
				continue
			}
			for _, p := range c.Condition.Parts {
				mark := map[string]string{"true": "✓ true: ", "false": "✗ false: ", "unknown": "· "}[p.Verdict]
				out = append(out, mark+api.RoleWord(p.Role)+p.Text+" "+p.Shown)
			}
			out = append(out, c.Condition.Steps...)
			for _, s := range c.Condition.Solved {
				out = append(out, s.Accepted, s.Range, s.Shown)
			}
		}
	}
	return out
}

var (
	tags   = regexp.MustCompile(`<(dt|dd|div|li|p|h2|span class="arithmetic"|span class="mark"|/span)[^>]*>`)
	markup = regexp.MustCompile(`<[^>]*>`)
)

// words is the text of a page.
func words(page string) string {
	_, page, _ = strings.Cut(page, "<main")
	page = tags.ReplaceAllString(page, " $0")
	text := html.UnescapeString(markup.ReplaceAllString(page, ""))
	return strings.Join(strings.Fields(text), " ")
}
