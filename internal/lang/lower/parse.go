package lower

import "github.com/wherefore-dev/wherefore/internal/syntax"

// parse parses a file, or that of its spellings of which least is lost.
func parse(p *syntax.Parser, d *Dialect, src []byte, o syntax.Options) (*syntax.Tree, error) {
	t, err := p.Parse(d.Grammar, src, o)
	least := lost(t)
	if err != nil || least == 0 || d.Spellings == nil {
		return t, err
	}
	best, last := src, src
	for _, other := range d.Spellings(src) {
		if t, err = p.Parse(d.Grammar, other, o); err != nil {
			break
		}
		last = other
		if n := lost(t); n < least {
			best, least = other, n
		}
		if least == 0 {
			return t, nil
		}
	}
	if err == nil && &best[0] == &last[0] {
		return t, nil
	}
	return p.Parse(d.Grammar, best, o) // a parser keeps one tree
}

// lost is how much of a tree could not be parsed: the bytes of what has no place in it, one for each token that is missing, and one
// for each error.
func lost(t *syntax.Tree) int {
	if t == nil || len(t.Nodes) == 0 || !t.Is(0, syntax.HasError) {
		return 0
	}
	sum := 0
	for i := range t.Nodes {
		switch n := &t.Nodes[i]; {
		case n.Flags&syntax.Error != 0:
			sum += 1 + int(n.End-n.Start)
		case n.Flags&syntax.Missing != 0:
			sum++
		}
	}
	return sum
}
