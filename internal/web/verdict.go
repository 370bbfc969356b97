package web

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
)

// fired are the parts of a condition that held and brought the error about; those on the way to it are left out.
func fired(c *api.Condition) []api.Part {
	var out []api.Part
	for _, p := range c.Parts {
		if p.Verdict == "true" && api.RoleWord(p.Role) == "" {
			out = append(out, p)
		}
	}
	return out
}

// decisive is the first quantity whose value is known not to be accepted; nil if there is none.
func decisive(c *api.Condition) *api.Solved {
	for i := range c.Solved {
		s := &c.Solved[i]
		if s.Shown != "" && s.Range != "" && s.Leaves == "" && !strings.HasSuffix(s.Shown, "is accepted") {
			return s
		}
	}
	return nil
}

// accepts puts a range behind "is accepted".
func accepts(r string) string {
	if strings.Contains(r, " to ") && !strings.Contains(r, ",") {
		return "from " + r
	}
	return "if it is " + r
}
