package web

import (
	"fmt"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/visible"
)

// callGraph is the drawing of who calls whom on the way to the raise, entries on the left, the raise on the right.
type callGraph struct {
	Width, Height int
	Nodes         []callNode
	Edges         []callEdge
	More          int // callers that are not drawn
	Words         string
}

// callNode is a function.
type callNode struct {
	X, Y  int
	Name  string // shortened to fit
	Place string
	Full  string // name and place in full
	Entry string // what enters here; "" for none
	Raise bool
	layer int
}

// callEdge is a call, drawn as a curve with its head at X2, Y2.
type callEdge struct {
	X1, Y1, X2, Y2 int
	Bend1, Bend2   int // x of the control points
	Unsure         bool
	from, to       int
}

// The measures of the drawing.
const (
	nodeWidth  = 196
	nodeHeight = 42
	columnGap  = 44
	rowGap     = 16
	maxDrawn   = 7 // callers
)

// grapher gathers functions and calls.
type grapher struct {
	callGraph
	index map[string]int
	edges map[[2]int]bool
}

// drawCalls draws the triggers of a page and the callers of its first site; nil if there are none.
func drawCalls(page *api.Page) *callGraph {
	if len(page.Sites) == 0 || len(page.Triggers) == 0 && len(page.Sites[0].Callers) == 0 {
		return nil
	}
	site := &page.Sites[0]
	g := &grapher{index: map[string]int{}, edges: map[[2]int]bool{}}
	raise := g.node(site.Path, site.Line, site.Function)
	g.Nodes[raise].Raise = true
	for i := range page.Triggers {
		g.trigger(&page.Triggers[i])
	}
	for i, c := range site.Callers {
		if i >= maxDrawn {
			g.More = len(site.Callers) - i
			break
		}
		g.edge(g.node(c.Path, c.Line, c.Function), raise, c.How != "")
	}
	g.layers(raise)
	g.place()
	g.Words = fmt.Sprintf("%d functions on the way to %s", len(g.Nodes)-1, g.Nodes[raise].Full)
	return &g.callGraph
}

func (g *grapher) node(path string, line int, function string) int {
	key := path + "\x00" + function
	if i, ok := g.index[key]; ok {
		return i
	}
	name := visible.Text(function)
	if name == "" {
		name = "(top level)"
	}
	place := visible.Text(fmt.Sprintf("%s:%d", path, line))
	g.index[key] = len(g.Nodes)
	g.Nodes = append(g.Nodes, callNode{Name: cutLeft(name, 25), Place: cutLeft(place, 32), Full: name + " at " + place})
	return len(g.Nodes) - 1
}

func (g *grapher) edge(from, to int, unsure bool) {
	if from == to || g.edges[[2]int{from, to}] {
		return
	}
	g.edges[[2]int{from, to}] = true
	g.Edges = append(g.Edges, callEdge{from: from, to: to, Unsure: unsure})
}

func (g *grapher) trigger(t *api.Trigger) {
	last := -1
	for i := range t.Hops {
		h := &t.Hops[i]
		n := g.node(h.Path, h.Line, h.Function)
		if i == 0 {
			g.Nodes[n].Entry = visible.Text(t.Entry)
			if t.Name != t.Entry && t.Name != h.Function {
				g.Nodes[n].Entry += " " + visible.Text(t.Name)
			}
		}
		if last >= 0 {
			g.edge(last, n, t.Hops[i-1].How != "")
		}
		last = n
	}
}

// layers gives each function the length of its longest way to the raise. Circles end after as many rounds as there are functions.
func (g *grapher) layers(raise int) {
	for i := range g.Nodes {
		if i != raise {
			g.Nodes[i].layer = 1
		}
	}
	for range g.Nodes {
		changed := false
		for _, e := range g.Edges {
			if want := g.Nodes[e.to].layer + 1; e.from != raise && g.Nodes[e.from].layer < want && want < len(g.Nodes) {
				g.Nodes[e.from].layer, changed = want, true
			}
		}
		if !changed {
			return
		}
	}
}

// place puts layers in columns and spreads each over the height.
func (g *grapher) place() {
	columns := 0
	count := map[int]int{}
	for i := range g.Nodes {
		columns = max(columns, g.Nodes[i].layer+1)
		count[g.Nodes[i].layer]++
	}
	rows := 0
	for _, n := range count {
		rows = max(rows, n)
	}
	const label = 18 // above an entry
	step := nodeHeight + rowGap + label
	g.Width, g.Height = columns*nodeWidth+(columns-1)*columnGap+4, rows*step+4
	seen := map[int]int{}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		n.X = 2 + (columns-1-n.layer)*(nodeWidth+columnGap)
		n.Y = 2 + label + (rows-count[n.layer])*step/2 + seen[n.layer]*step
		seen[n.layer]++
		n.Entry = cut(n.Entry, 30)
	}
	for i := range g.Edges {
		e := &g.Edges[i]
		from, to := &g.Nodes[e.from], &g.Nodes[e.to]
		e.X1, e.Y1, e.X2, e.Y2 = from.X+nodeWidth, from.Y+nodeHeight/2, to.X, to.Y+nodeHeight/2
		e.Bend1, e.Bend2 = e.X1+columnGap/2, e.X2-columnGap/2
	}
}
