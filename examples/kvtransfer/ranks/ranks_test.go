package ranks

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
)

// show prints targets as "tp.cp.pp", dummies in brackets.
func show(targets []Target) string {
	var out []string
	for _, t := range targets {
		s := fmt.Sprintf("%d.%d.%d", t.TP, t.CP, t.PP)
		if t.Dummy {
			s = "(" + s + ")"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

// TestMap holds mappings to their table.
func TestMap(t *testing.T) {
	one := Sizes{1, 1, 1}
	tp := func(n int) Sizes { return Sizes{n, 1, 1} }
	for _, c := range []struct {
		d              Decode
		p              Prefill
		want           string
		infos, replies int
	}{
		{Decode{Sizes: one}, Prefill{Sizes: one}, "0.0.0", 1, 1},
		{Decode{Sizes: tp(4), Rank: 3}, Prefill{Sizes: tp(4)}, "3.0.0", 1, 1},
		{Decode{Sizes: tp(4), Rank: 7}, Prefill{Sizes: tp(4)}, "3.0.0", 1, 1},
		{Decode{Sizes: tp(4), Rank: 3}, Prefill{Sizes: tp(2)}, "1.0.0", 2, 1},
		{Decode{Sizes: tp(2), Rank: 1}, Prefill{Sizes: tp(4), Latent: true}, "2.0.0 (3.0.0)", 1, 1},
		{Decode{Sizes: tp(2), Rank: 1}, Prefill{Sizes: tp(4)}, "2.0.0 3.0.0", 1, 2},
		{Decode{Sizes: one}, Prefill{Sizes: Sizes{1, 1, 4}}, "0.0.0 0.0.1 0.0.2 0.0.3", 1, 4},
		{Decode{Sizes: Sizes{1, 1, 4}, PPRank: 2}, Prefill{Sizes: Sizes{1, 1, 4}}, "0.0.2", 1, 1},
		{Decode{Sizes: one}, Prefill{Sizes: Sizes{2, 4, 1}}, "0.0.0 1.0.0", 1, 2},
		{Decode{Sizes: one}, Prefill{Sizes: Sizes{2, 4, 2}, AllCP: true},
			"0.0.0 1.0.0 0.1.0 1.1.0 0.2.0 1.2.0 0.3.0 1.3.0 0.0.1 1.0.1 0.1.1 1.1.1 0.2.1 1.2.1 0.3.1 1.3.1", 1, 16},
	} {
		m, err := Map(c.d, c.p)
		if got := show(m.Targets); err != nil || got != c.want || m.Infos != c.infos || m.Replies != c.replies {
			t.Errorf("%+v | %+v: %s, %d infos, %d replies, %v", c.d, c.p, got, m.Infos, m.Replies, err)
		}
	}
}

// TestMapErrors holds refusals to their messages.
func TestMapErrors(t *testing.T) {
	one := Sizes{1, 1, 1}
	for _, c := range []struct {
		d    Decode
		p    Prefill
		want string
	}{
		{Decode{Sizes: Sizes{1, 2, 1}}, Prefill{Sizes: one}, "Decode cp size (2) should be equal to 1"},
		{Decode{Sizes: Sizes{1, 1, 2}}, Prefill{Sizes: Sizes{1, 1, 4}}, "Decode pp size (2) should be equal to prefill pp size (4) or 1"},
		{Decode{Sizes: Sizes{3, 1, 1}}, Prefill{Sizes: Sizes{2, 1, 1}}, "prefill TP size 2 and decode TP size 3 do not divide each other"},
		{Decode{Sizes: one}, Prefill{}, "ranks: prefill TP size is 0, an engine can have 1 to 65536"},
		{Decode{Sizes: one, Rank: -1}, Prefill{Sizes: one}, "ranks: decode rank is -1, an engine can have 0 to 65536"},
		{Decode{Sizes: one, PPRank: 1}, Prefill{Sizes: one}, "ranks: decode PP rank is 1, an engine can have 0 to 0"},
	} {
		if _, err := Map(c.d, c.p); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestSenders holds sender numbers to be distinct within an engine.
func TestSenders(t *testing.T) {
	s := Sizes{3, 4, 5}
	seen := map[int]bool{}
	for tp := range s.TP {
		for cp := range s.CP {
			for pp := range s.PP {
				seen[Sender(s, tp, cp, pp)] = true
			}
		}
	}
	if len(seen) != 60 {
		t.Errorf("%d numbers for 60 processes", len(seen))
	}
	if got := Sender(Sizes{2, 3, 4}, 1, 2, 3); got != 1*12+3*3+2 {
		t.Errorf("sender %d", got)
	}
}

// TestHeads holds head slices to their table.
func TestHeads(t *testing.T) {
	for _, c := range []struct {
		heads, srcTP, src, dstTP, dst int
		want                          Heads
	}{
		{8, 4, 1, 2, 0, Heads{0, 2, 2}},
		{8, 2, 0, 4, 1, Heads{2, 2, 0}},
		{4, 8, 3, 2, 1, Heads{0, 1, 1}},
		{4, 1, 0, 8, 5, Heads{2, 1, 0}},
		{8, 4, 2, 4, 2, Heads{0, 2, 0}},
	} {
		got, err := Slice(c.heads, c.srcTP, c.src, c.dstTP, c.dst)
		if err != nil || got != c.want {
			t.Errorf("%+v: %v, %v", c, got, err)
		}
	}
	_, err := Slice(6, 4, 0, 2, 0)
	if want := "6 KV heads cannot be shared evenly among 4 source ranks and 2 destination ranks"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// held is the global heads of a rank.
func held(heads, tp, rank int) []int {
	n := layout.HeadsPerRank(heads, tp)
	first := rank / max(1, tp/heads) * n
	return seqFrom(first, n)
}

// seqFrom is n numbers from first on.
func seqFrom(first, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = first + i
	}
	return out
}

// TestHeadsMove sends every head by its number: with the targets of Map and the slices of Slice, each decode rank ends up with exactly
// the heads it holds.
func TestHeadsMove(t *testing.T) {
	for _, heads := range []int{1, 2, 4, 8} {
		for _, srcTP := range []int{1, 2, 4, 8, 16} {
			for _, dstTP := range []int{1, 2, 4, 8, 16} {
				for dst := range dstTP {
					moveHeads(t, heads, srcTP, dstTP, dst)
				}
			}
		}
	}
}

// moveHeads fills one decode rank.
func moveHeads(t *testing.T, heads, srcTP, dstTP, dst int) {
	want := held(heads, dstTP, dst)
	got := seqFrom(-1000, len(want))
	m, err := Map(Decode{Sizes: Sizes{dstTP, 1, 1}, Rank: dst}, Prefill{Sizes: Sizes{srcTP, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	for rank := range srcTP {
		if met := Meet(srcTP, rank, dstTP, dst); met != slices.ContainsFunc(m.Targets, func(t Target) bool { return t.TP == rank }) {
			t.Errorf("TP %d to %d: rank %d meets %d: %t, targets %v", srcTP, dstTP, rank, dst, met, m.Targets)
		}
	}
	for _, target := range m.Targets {
		h, err := Slice(heads, srcTP, target.TP, dstTP, dst)
		if err != nil {
			t.Fatal(err)
		}
		copy(got[h.DstStart:], held(heads, srcTP, target.TP)[h.SrcStart:h.SrcStart+h.Count])
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%d heads, TP %d to %d, rank %d: %v, want %v", heads, srcTP, dstTP, dst, got, want)
	}
}
