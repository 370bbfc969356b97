package condition

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// TestJudge judges the conditions in testdata/judge. An archive holds prose, "parts" (role [leaves] [stale=a,b]: condition),
// "defs" (name = expression), "values" (expression|format = printed), "controls" (names), and the wanted "judgement".
func TestJudge(t *testing.T) {
	paths, err := filepath.Glob("testdata/judge/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{}
			for _, f := range archive.Files {
				files[f.Name] = string(f.Data)
			}
			allowed := strings.Fields(files["controls"])
			controls := func(name string) bool {
				for _, a := range allowed {
					if a == name {
						return true
					}
				}
				return false
			}
			rules := dynamicRules()
			spelling := &expr.Spelling{And: " and ", Or: " or ", Not: "not ", Null: "None", True: "True", False: "False", Len: "len(%)",
				In: "% in %", NotIn: "% not in %", Is: "is", IsNot: "is not", Equal: "==", NotEqual: "!=", TypeTest: "isinstance(%, %)",
				Cond: "% if % else %", CondThenFirst: true, Coalesce: " or ", QuoteChar: '\''}
			got := shownJudgement(Judge(parts(t, files["parts"]), defs(t, files["defs"]), bindings(t, files["values"]), spelling, rules, controls))
			if want := files["judgement"]; got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func parts(t testing.TB, lines string) []raise.Part {
	var out []raise.Part
	for i, line := range strings.Split(strings.TrimSpace(lines), "\n") {
		head, cond, ok := strings.Cut(line, ": ")
		if !ok {
			t.Fatalf("part without a role: %q", line)
		}
		p := raise.Part{Line: i + 1}
		for j, word := range strings.Fields(head) {
			names, stale := strings.CutPrefix(word, "stale=")
			switch {
			case j == 0:
				p.Role = raise.Role(word)
			case stale:
				p.Stale = strings.Split(names, ",")
			default:
				p.Leaves = word
			}
		}
		if text, words := strings.CutPrefix(cond, "// "); words {
			p.Text = text
		} else {
			p.Expr = parse(t, cond)
		}
		out = append(out, p)
	}
	return out
}

func shownJudgement(j Judgement) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", j.Text, j.Verdict)
	for _, p := range j.Parts {
		fmt.Fprintf(&b, "  %d %s", p.Line, p.Role)
		if p.Either {
			b.WriteString(" either")
		}
		fmt.Fprintf(&b, ": %s: %s", p.Text, p.Verdict)
		if p.Shown != "" {
			fmt.Fprintf(&b, ": %s", p.Shown)
		}
		b.WriteString("\n")
	}
	for _, s := range j.Steps {
		fmt.Fprintf(&b, "step %s\n", s)
	}
	for _, s := range j.Solved {
		fmt.Fprintf(&b, "solved %s", s.Accepted)
		if s.Leaves != "" {
			fmt.Fprintf(&b, " (%s)", s.Leaves)
		}
		for _, more := range []string{s.Range, s.Shown} {
			if more != "" {
				b.WriteString(": " + more)
			}
		}
		if s.Given != nil {
			fmt.Fprintf(&b, " given %s", s.Given)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestJudgeIsBounded judges a condition in which everything is defined by everything else and all values are ambiguous; it ends
// because the work is bounded, and nothing is claimed that was not followed to its end.
func TestJudgeIsBounded(t *testing.T) {
	name := func(i int) *expr.Expr { return expr.Ident(fmt.Sprint("x", i)) }
	var all []raise.Def
	var values []Binding
	for i := range 16 {
		sum := name((i + 1) % 16)
		for j := range 16 {
			sum = expr.New(expr.Binary, "+", sum, expr.New(expr.Binary, "*", name(j), name((i+j)%16)))
		}
		all = append(all, raise.Def{Name: fmt.Sprint("x", i), Value: sum})
	}
	for i := range 32 {
		values = append(values, bindings(t, fmt.Sprintf("y%d + x%d = 3", i, i%16))...)
	}
	var site []raise.Part
	for i := range 24 {
		var or []*expr.Expr
		for j := range 40 {
			cond := expr.New(expr.Compare, ">", name((i+j)%16), expr.New(expr.Binary, "+", expr.Ident(fmt.Sprint("y", j%32)), name(i%16)))
			or = append(or, expr.New(expr.Cond, "", cond, cond, expr.New(expr.Not, "", cond)))
		}
		site = append(site, raise.Part{Role: raise.RoleGuard, Expr: expr.Disj(or...)})
	}
	got := Judge(site, all, values, nil, dynamicRules(), func(string) bool { return true })
	if got.Verdict != Unknown {
		t.Errorf("judged %s", got.Verdict)
	}
}
