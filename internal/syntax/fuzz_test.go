package syntax

import (
	"testing"
	"time"
)

// FuzzParse holds that no text does more than give an error, and that a tree is sound whatever it is of.
func FuzzParse(f *testing.F) {
	for extension := range languages() {
		f.Add(sample(f, extension), uint16(0), uint16(0))
	}
	f.Add([]byte(module), uint16(1), uint16(5))
	f.Add(staircase(511, "f'{x}'"), uint16(0), uint16(0))
	f.Add(nested("{a:", "", 300), uint16(20), uint16(9))
	var grammars []*Grammar
	for _, language := range languages() {
		grammars = append(grammars, grammar(f, language))
	}
	f.Fuzz(func(t *testing.T, src []byte, nodes, depth uint16) {
		p := NewParser()
		for _, g := range grammars {
			tree, err := p.Parse(g, src, Options{MaxNodes: int(nodes), MaxDepth: int(depth), Timeout: 5 * time.Second, MaxMemory: 64 << 20})
			if (tree == nil) != (err != nil && err != ErrTooMany && err != ErrTooDeep) || p.out.leaked != 0 {
				t.Fatalf("error %v, %d bytes are left", err, p.out.leaked)
			}
			if tree != nil {
				if err := sound(p, tree); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
