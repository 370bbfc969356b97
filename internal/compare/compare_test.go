package compare

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/api"
)

// errs reads errors written as "id path function type: message".
func errs(lines ...string) []api.Error {
	var out []api.Error
	for _, l := range lines {
		f := strings.SplitN(l, " ", 4)
		typ, text, _ := strings.Cut(f[3], ": ")
		out = append(out, api.Error{ID: f[0], Type: typ, Template: text, Sites: []api.Site{{Path: f[1], Function: f[2]}}})
	}
	return out
}

func TestErrors(t *testing.T) {
	before := errs("1 a.py f ValueError: size {n} is too large", "2 a.py f ValueError: size {n} is negative", "3 b.py g KeyError: no {key}", "4 c.py h OSError: disk is full", "5 c.py h OSError: cannot read {path} now", "6 d.py k E: goes")
	after := errs("1 a.py f ValueError: size {n} is too large", "7 a.py f ValueError: size {n} must not be negative", "3 x/b.py g KeyError: no {key}", "8 c.py h OSError: cannot read the file {path}", "9 d.py k E: entirely different words", "10 e.py m E: new")
	c := Errors(before, after)
	var got []string
	for _, e := range c.Added {
		got = append(got, "+"+e.ID)
	}
	for _, e := range c.Removed {
		got = append(got, "-"+e.ID)
	}
	for _, r := range c.Reworded {
		got = append(got, r.Before.ID+">"+r.After.ID)
	}
	for _, m := range c.Moved {
		got = append(got, m.Error.ID+" from "+m.From)
	}
	got = append(got, fmt.Sprint("=", c.Unchanged))
	if text := strings.Join(got, ", "); text != "+9, +10, -4, -6, 2>7, 5>8, 3 from b.py, =1" {
		t.Error(text)
	}
}
