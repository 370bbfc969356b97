package flow

import (
	"testing"

	"github.com/wherefore-dev/wherefore/internal/raise"
)

// In "if a: leave, else if b: leave" both did not hold behind it.
func TestExitsOfAnElseHoldBehindIt(t *testing.T) {
	sites := []raise.Site{{}}
	leave := []Stmt{{Kind: Leave}}
	Analyze(Function{Params: []string{"a", "b"}, Body: []Stmt{
		{Kind: If, Cond: equals("a", "x"), Body: leave, Else: []Stmt{{Kind: If, Cond: equals("b", "y"), Body: leave}}},
		{Kind: Raise, Site: 0},
	}}, sites)
	if got, want := parts(sites[0]), `exit not a == "x"; exit not b == "y"`; got != want {
		t.Errorf("condition %q, want %q", got, want)
	}
}
