package paste_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/wherefore-dev/wherefore/internal/lang/all"
	"github.com/wherefore-dev/wherefore/internal/lang/langtest"
	"github.com/wherefore-dev/wherefore/internal/paste"
)

// TestRead runs the archives of testdata: each report/NAME is a pasted text, want/NAME what is read of it. In a report ␛ stands for the
// escape character, ␍ for a carriage return, ␠ for a blank that does not break. With UPDATE=1 what is wanted is rewritten.
func TestRead(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives (%v)", err)
	}
	reader := paste.NewReader(all.Traces())
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var out []txtar.File
		for i, f := range ar.Files {
			name, ok := strings.CutPrefix(f.Name, "report/")
			if !ok {
				continue
			}
			got := show(reader, unmarked(f.Data))
			out = append(out, f, txtar.File{Name: "want/" + name, Data: []byte(got)})
			if os.Getenv("UPDATE") != "" {
				continue
			}
			t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar")+"/"+name, func(t *testing.T) {
				if i+1 >= len(ar.Files) || ar.Files[i+1].Name != "want/"+name {
					t.Fatalf("no want/%s", name)
				}
				if diff := cmp.Diff(string(ar.Files[i+1].Data), got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
		if os.Getenv("UPDATE") != "" {
			ar.Files = out
			if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func unmarked(data []byte) string {
	text := strings.TrimSuffix(string(data), "\n")
	return strings.NewReplacer("␛", "\x1b", "␍", "\r", "␠", "\u00a0").Replace(text)
}

// show prints what was read: traces with their frames, then for each line of plain text its readings.
func show(reader *paste.Reader, text string) string {
	report := reader.Read(text)
	var b strings.Builder
	for i, o := range report.Traces {
		fmt.Fprintf(&b, "%d %s: %s", i, o.Form, o.Type)
		if o.Code != "" {
			fmt.Fprintf(&b, " [%s]", o.Code)
		}
		if o.Of >= 0 {
			fmt.Fprintf(&b, " %s of %d", o.Link, o.Of)
		}
		if o.Cut {
			b.WriteString(" cut")
		}
		fmt.Fprintf(&b, "\n  message: %q\n  span: %q\n", o.Message, edges(text[o.Span.Start:o.Span.End]))
		for _, f := range o.Frames {
			fmt.Fprintf(&b, "  %s:%d %s\n", f.Path, f.Line, f.Function)
		}
	}
	for _, p := range report.Plain {
		for _, line := range p.Lines {
			b.WriteString("plain\n")
			for _, r := range line {
				fmt.Fprintf(&b, "  %q", r.Message)
				for _, s := range []string{r.Type, r.Code, r.Level} {
					if s != "" {
						b.WriteString(" " + s)
					}
				}
				for _, f := range r.Frames {
					fmt.Fprintf(&b, " %s:%d", f.Path, f.Line)
				}
				if span := text[r.Start:r.End]; span != r.Message {
					fmt.Fprintf(&b, " of %q", edges(span))
				}
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}

func edges(s string) string {
	if len(s) <= 100 {
		return s
	}
	return s[:50] + " [...] " + s[len(s)-40:]
}

func FuzzRead(f *testing.F) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		f.Fatalf("no archives (%v)", err)
	}
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range ar.Files {
			if strings.HasPrefix(file.Name, "report/") {
				f.Add(unmarked(file.Data))
			}
		}
	}
	reader := paste.NewReader(all.Traces())
	f.Fuzz(func(t *testing.T, text string) {
		report := reader.Read(text)
		if err := langtest.Sound(text, report.Traces); err != nil {
			t.Fatal(err)
		}
		for _, p := range report.Plain {
			for _, line := range append(p.Lines, p.Whole) {
				for _, r := range line {
					if r.Start < 0 || r.End < r.Start || r.End > len(text) || r.Message == "" {
						t.Fatalf("reading %q has the span %d to %d of %d bytes", r.Message, r.Start, r.End, len(text))
					}
				}
			}
		}
	})
}

// hostile are texts made to cost time: what forms look for, again and again, never finished.
func hostile() map[string]string {
	out := map[string]string{"newlines": "\n", "blanks": " ", "one line": "x", "escapes": "\x1b[", "prefixes": "2026-01-02 03:04:05 ERROR a.b: "}
	for name, s := range map[string]string{
		"traceback heads": "Traceback (most recent call last):\n", "frames": "  File \"a.py\", line 3, in f\n", "group marks": "  +-+---------------- 1 ----------------\n",
		"notebook heads": "ValueError    Traceback (most recent call last)\n", "boxes": "╭─ Traceback (most recent call last) ─╮\n", "pytest": "E   ValueError: x\n",
		"panics": "panic: x\n", "goroutines": "goroutine 1 [running]:\n", "go frames": "main.f\n\t/a.go:1\n", "JVM frames": "\tat a.B.c(B.java:1)\n",
		"causes": "Caused by: a.BError: x\n", ".NET frames": "   at A.B.C(String s) in /a.cs:line 1\n", "inner": " ---> A.BException: x\n",
		"ruby heads": "a.rb:1:in 'f': x (E)\n", "ruby frames": "a.rb:1:in 'f'\n", "php": "Stack trace:\n", "php frames": "#0 /a.php(1): f()\n",
		"rust heads": "thread 'a' panicked at 'x\n", "rust": "thread 'a' panicked at a.rs:1:1:\n", "reports": "x\nCaused by:\n", "what": "terminate called after throwing an instance of 'x'\n",
		"V8 frames": "    at f (/a.js:1:2)\n", "rejections": "(Use `node --trace-uncaught ...` to show where the exception was thrown)\n", "objects": "E {\n",
		"fields": "{\"a\":", "pairs": "a=\"", "json": "{\"a\":\"\\n\\n\\n\",\"b\":[[[[", "quotes": "`a", "quoted": "> > > \n", "compose": "a | \n", "wide": strings.Repeat("w", 80) + "\n",
		"curly": "“a”", "places": "a.go:1: ", "summaries": "FAILED a.py::b - E: x\n", "asserts": "a: a.c:1: f: Assertion `x", "surefire": "[ERROR]   A.b:1->c:2 x\n",
	} {
		out[name] = s
	}
	return out
}

// TestReadIsBounded reads hostile texts of a size at which anything but linear work would not end.
func TestReadIsBounded(t *testing.T) {
	reader := paste.NewReader(all.Traces())
	for name, s := range hostile() {
		t.Run(name, func(t *testing.T) {
			text := strings.Repeat(s, 100_000/len(s))
			report := reader.Read(text)
			if err := langtest.Sound(text, report.Traces); err != nil {
				t.Fatal(err)
			}
		})
	}
	for what, text := range map[string]string{"bytes": strings.Repeat("word ", paste.MaxReport/4), "200000 lines": strings.Repeat("\n", paste.MaxLines+1) + "x",
		"20000 lines": strings.Repeat("some words\n", 21_000), "message": strings.Repeat("word ", paste.MaxMessage/4), "stack traces": strings.Repeat("panic: x\n\ngoroutine 1 [running]:\nmain.f()\n\t/a.go:1\n\n", paste.MaxTraces+1)} {
		if report := reader.Read(text); !strings.Contains(report.Cut, what) {
			t.Errorf("a report with too many %s does not say that it was cut: %q", what, report.Cut)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	reader := paste.NewReader(all.Traces())
	for name, s := range hostile() {
		text := strings.Repeat(s, 10<<20/len(s))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				reader.Read(text)
			}
		})
	}
}
