package syntax

import (
	"bytes"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// nested is a text of n openings and, where there are some, as many ends.
func nested(open, close string, n int) []byte {
	return []byte(strings.Repeat(open, n) + strings.Repeat(close, n))
}

// staircase is a text of n blocks each in the other.
func staircase(n int, last string) []byte {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "if x:\n")
	}
	b.WriteString(strings.Repeat(" ", n) + last + "\n")
	return []byte(b.String())
}

func TestDeepTreesAreCut(t *testing.T) {
	for extension, src := range map[string][]byte{
		".py":  append(nested("(", ")", 10_000), "\nraise X\n"...),
		".js":  append(nested("[", "]", 10_000), "\nthrow x\n"...),
		".ts":  append(nested("{", "}", 10_000), "\nthrow x\n"...),
		".tsx": append(nested("f(", ")", 10_000), "\nthrow x\n"...),
	} {
		p, g := NewParser(), grammar(t, languages()[extension])
		tree, err := p.Parse(g, src, Options{MaxDepth: 50, Timeout: time.Minute})
		if err != ErrTooDeep {
			t.Errorf("%s: error %v, want %v", extension, err, ErrTooDeep)
			continue
		}
		if err := sound(p, tree); err != nil {
			t.Error(err)
		}
		deepest, cut, thrown := 0, 0, false
		for i := range int(len(tree.Nodes)) {
			depth := 0
			for c := i; c != None; c = tree.Parent(c) {
				depth++
			}
			if deepest = max(deepest, depth); tree.Is(i, Cut) {
				cut++
				if depth != 50 || tree.FirstChild(i) != None {
					t.Errorf("%s: a node at depth %d is cut", extension, depth)
				}
			}
			thrown = thrown || strings.HasPrefix(tree.Name(i), "raise") || strings.HasPrefix(tree.Name(i), "throw")
		}
		if deepest != 50 || cut == 0 || !thrown {
			t.Errorf("%s: depth %d, %d nodes cut, what follows is there: %v", extension, deepest, cut, thrown)
		}
		whole := parse(t, p, g, src, Options{MaxDepth: 100_000, Timeout: time.Minute})
		if len(whole.Nodes) < 20_000 {
			t.Errorf("%s: the whole tree has %d nodes", extension, len(whole.Nodes))
		}
	}
}

// The scanner of this grammar keeps two bytes for each open block, which the core has no room for from the 511th on: it ends the
// process when a scanner goes beyond it.
func TestScannerThatGoesTooFar(t *testing.T) {
	p, g := NewParser(), grammar(t, languages()[".py"])
	parse(t, p, g, staircase(500, "raise X('a')"), Options{})
	for _, n := range []int{509, 510, 511, 512, 3000} {
		for _, last := range []string{"pass", "raise X('a')", "raise X(f'{f\"{1}\"}')"} {
			tree, err := p.Parse(g, staircase(n, last), Options{Timeout: time.Minute})
			if err != nil && err != ErrScanner || n >= 600 && err == nil && !tree.HasError(0) {
				t.Errorf("%d blocks, then %s: error %v", n, last, err)
			}
			if p.out.leaked != 0 {
				t.Errorf("%d blocks: %d bytes are left", n, p.out.leaked)
			}
		}
	}
	if _, err := p.Parse(g, staircase(511, "raise X('a')"), Options{}); err != ErrScanner {
		t.Errorf("error %v, want %v", err, ErrScanner)
	}
	parse(t, p, g, []byte("x = 1\n"), Options{})
}

// The core frees its parse stack by recursion where a text can be read in two ways at each level of its nests. Without a stack for
// that this ends the process.
func TestRecursionInTheCore(t *testing.T) {
	for _, open := range []string{"{a:", "a<"} {
		for _, extension := range []string{".js", ".tsx"} {
			p, g := NewParser(), grammar(t, languages()[extension])
			for _, size := range []int{30_000, 300_000} {
				_, err := p.Parse(g, nested(open, "", size/len(open)), Options{Timeout: 2 * time.Second})
				if err != nil && err != ErrTooDeep && err != ErrTimeout && err != ErrMemory {
					t.Errorf("%q: error %v", open, err)
				}
				if p.out.leaked != 0 || p.out.nodes != nil {
					t.Errorf("%q: %d bytes are left", open, p.out.leaked)
				}
			}
		}
	}
}

func TestEachLimit(t *testing.T) {
	g, p := grammar(t, languages()[".py"]), NewParser()
	statements := bytes.Repeat([]byte("x = [(((1 + 2))), f(g(h))]\n"), 40_000)
	stopped := &Stop{}
	stopped.Stop()
	for _, c := range []struct {
		name string
		o    Options
		want error
	}{
		{"time", Options{Timeout: time.Microsecond}, ErrTimeout},
		{"time that is less than the unit", Options{Timeout: 1}, ErrTimeout},
		{"memory", Options{MaxMemory: 1 << 20}, ErrMemory},
		{"memory beyond what a thread of Go has the stack for", Options{MaxMemory: 16 << 20}, ErrMemory},
		{"stopped before", Options{Stop: stopped}, ErrCanceled},
	} {
		if tree, err := p.Parse(g, statements, c.o); err != c.want || tree != nil {
			t.Errorf("%s: error %v, want %v without a tree", c.name, err, c.want)
		}
		if p.out.leaked != 0 || p.out.nodes != nil {
			t.Errorf("%s: %d bytes are left", c.name, p.out.leaked)
		}
		if err := p.Check(g, statements, c.o); err != c.want {
			t.Errorf("%s: Check says %v, want %v", c.name, err, c.want)
		}
		// A parser that was stopped reads on.
		parse(t, p, g, []byte(module), Options{Stop: &Stop{}})
	}
	if err := p.Check(g, []byte(module), Options{MaxNodes: 1, MaxDepth: 1}); err != nil || p.out.leaked != 0 {
		t.Errorf("Check says %v and leaves %d bytes", err, p.out.leaked)
	}
	whole := parse(t, p, g, []byte(module), Options{})
	want := append([]Node{}, whole.Nodes...)
	for limit := 1; limit <= len(want); limit++ {
		tree, err := p.Parse(g, []byte(module), Options{MaxNodes: limit})
		if (err == ErrTooMany) != (limit < len(want)) || len(tree.Nodes) != limit {
			t.Fatalf("%d nodes of %d, error %v", len(tree.Nodes), limit, err)
		}
		if err := sound(p, tree); err != nil {
			t.Fatalf("%d nodes: %v", limit, err)
		}
		for i, n := range tree.Nodes {
			// A node that is still open at the end is as large as what there is of it.
			if n.Size = want[i].Size; n != want[i] {
				t.Fatalf("node %d of %d is %+v, want %+v", i, limit, n, want[i])
			}
		}
	}
}

// The core cannot be used after it was stopped in the balancing of its tree, at the end of a parse; stopping everywhere comes there.
func TestStoppingAnywhere(t *testing.T) {
	g, p := grammar(t, languages()[".js"]), NewParser()
	src := []byte("[" + strings.Repeat("1,", 8_000) + "]")
	start := time.Now()
	parse(t, p, g, src, Options{Timeout: time.Minute})
	whole := time.Since(start)
	for i := range 100 {
		_, err := p.Parse(g, src, Options{Timeout: whole * time.Duration(i+1) / 100})
		if err != nil && err != ErrTimeout {
			t.Errorf("error %v", err)
		}
		if p.out.leaked != 0 || p.out.nodes != nil {
			t.Errorf("%d bytes are left", p.out.leaked)
		}
		parse(t, p, g, []byte("x"), Options{})
	}
}

func TestStopFromElsewhere(t *testing.T) {
	g, p, stop := grammar(t, languages()[".py"]), NewParser(), &Stop{}
	time.AfterFunc(20*time.Millisecond, stop.Stop)
	src := bytes.Repeat([]byte("x = [(((1 + 2))), f(g(h))]\n"), 400_000)
	if _, err := p.Parse(g, src, Options{Stop: stop, Timeout: time.Hour}); err != ErrCanceled {
		t.Errorf("error %v, want %v", err, ErrCanceled)
	}
}

func TestHostileText(t *testing.T) {
	for name, src := range map[string][]byte{
		"empty":                 nil,
		"NUL alone":             {0},
		"NUL":                   []byte("x = 1\x00\nraise X('\x00')\n"),
		"NUL only":              make([]byte, 20_000),
		"not UTF-8":             []byte("raise X('\xff\xfe')\n\xc3"),
		"cut off in a rune":     []byte("x = '\xf0\x9f\x98"),
		"not UTF-8 only":        bytes.Repeat([]byte{0xff}, 20_000),
		"byte order mark":       []byte("\ufeffx = 1\n"),
		"line ends of all kind": []byte("a\r\nb\rc\n\r\u2028d\v\f"),
		"runes over the chunks": bytes.Repeat([]byte("x = 'äöü€😀'\n"), 1000),
		"open strings":          bytes.Repeat([]byte("f'{f\"{"), 1000),
		"open comments":         bytes.Repeat([]byte("/*"), 5_000),
		"lines only":            bytes.Repeat([]byte("\n"), 1<<20),
		"one word":              bytes.Repeat([]byte("a"), 1<<20),
	} {
		for extension, language := range languages() {
			p, g := NewParser(), grammar(t, language)
			tree, err := p.Parse(g, src, Options{Timeout: time.Minute})
			if err != nil && err != ErrTooDeep {
				t.Errorf("%s, %s: %v", name, extension, err)
				continue
			}
			if err := sound(p, tree); err != nil {
				t.Errorf("%s, %s: %v", name, extension, err)
			}
		}
	}
}

func TestLineOf100Megabytes(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 300 MB")
	}
	g, p := grammar(t, languages()[".js"]), NewParser()
	for name, fill := range map[string]string{"one string": "a", "calls": "f(x);", "a regular expression that stays open": "/"} {
		src := append([]byte("x = '"), bytes.Repeat([]byte(fill), 100<<20/len(fill))...)
		if name != "one string" {
			src = src[len("x = '"):]
		}
		_, err := p.Parse(g, src, Options{Timeout: time.Second})
		if err != nil && err != ErrTimeout && err != ErrMemory && err != ErrTooMany && err != ErrTooDeep {
			t.Errorf("%s: error %v", name, err)
		}
		if p.out.leaked != 0 || p.out.nodes != nil {
			t.Errorf("%s: %d bytes are left", name, p.out.leaked)
		}
	}
}

// The counter in C sees what the core holds; that the process does not grow shows the rest: the scanners' memory, and the stacks.
func TestMemoryIsGivenBack(t *testing.T) {
	resident := func() int {
		text, err := os.ReadFile("/proc/self/statm")
		if err != nil {
			t.Skip("no /proc/self/statm on this machine")
		}
		pages := 0
		for _, digit := range strings.Fields(string(text))[1] {
			pages = pages*10 + int(digit-'0')
		}
		return pages * os.Getpagesize()
	}
	once := func() {
		for extension, language := range languages() {
			g, p, src := grammar(t, language), NewParser(), bytes.Repeat(sample(t, extension), 25)
			for _, o := range []Options{{}, {MaxNodes: 1000}, {MaxDepth: 3}, {Timeout: time.Millisecond}, {MaxMemory: 1 << 18}} {
				p.Parse(g, src, o)
			}
		}
		NewParser().Parse(grammar(t, languages()[".py"]), staircase(520, "'a'"), Options{})
	}
	for range 5 {
		once()
	}
	before := resident()
	// Each round takes about 20 MB in all; if it kept a tenth, this would find it.
	for range 15 {
		once()
	}
	if grown := resident() - before; grown > 16<<20 {
		t.Errorf("the process grew by %d MB", grown>>20)
	}
}

// Each parser stands for itself, also while others are on the large stack or give up.
func TestParsersSideBySide(t *testing.T) {
	var group sync.WaitGroup
	for worker := range 4 {
		for extension, language := range languages() {
			group.Go(func() {
				g, p := grammar(t, language), NewParser()
				src := bytes.Repeat(sample(t, extension), 1+worker*20)
				for range 3 {
					p.Parse(g, src, Options{MaxMemory: 1 << 20})
					tree, err := p.Parse(g, src, Options{Timeout: time.Minute})
					if err == nil {
						err = sound(p, tree)
					}
					if err != nil {
						t.Errorf("%s: %v", extension, err)
					}
				}
			})
		}
	}
	group.Wait()
}

func TestNoGrammar(t *testing.T) {
	if _, err := NewGrammar(nil); err != ErrGrammar {
		t.Errorf("error %v, want %v", err, ErrGrammar)
	}
}
