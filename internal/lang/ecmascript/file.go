package ecmascript

import (
	"sort"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/raise"
)

// file is the work on one file.
type file struct {
	src   string
	tree  tree
	lines []uint32 // offsets of the lines' starts
	facts *raise.Facts

	skimmer   *skimmer    // nil if the whole file was parsed
	elided    map[int]int // offsets of the bodies that were left out, to the skimmer's regions
	functions []int       // function index to node; -1 for one that was skimmed
	order     []int       // indices of the functions that have a node, in order of the nodes
	indexOf   map[int]int // node to function index
	classes   []class
	calls     []int // nodes of calls and constructions, in order
	throws    []int
	comments  []int
	exports   map[string]bool // local names that are exported by a list
	// errorClasses are the names of classes that the file defines as errors.
	errorClasses map[string]bool
	// helpers are functions of the file that raise or make an error with a text from their parameters, by name.
	helpers map[string]bool
	// makers are the functions that return a text, by index.
	makers map[int]bool
	// triggers are the nodes that make a site, in order.
	triggers []int
	// inherited are the bases of functions that are used as classes, by name.
	inherited map[string]string
	codes     []codeDeclaration
	// forms say how each trigger that is no throw statement raises.
	forms map[int]form
	// declarations are the nodes that declare a name, assignments what assigns one otherwise; both in order of the nodes.
	declarations map[string][]int
	assignments  []assignment
	reassigned   map[string]bool // names that anything in the file assigns
	// localNames are the functions that only a function around them can see, by their qualified names.
	localNames map[string]bool
	// declared are calls that declare an error by its code: no sites.
	declared map[int]bool
	// sited are the triggers that have a site.
	sited map[int]bool
	seen  map[seenCall]bool
}

// seenCall is a callee that a function is known to call.
type seenCall struct {
	function int
	callee   string
}

func newFile(src string) *file {
	f := &file{src: src, facts: &raise.Facts{}, indexOf: map[int]int{}, exports: map[string]bool{}, errorClasses: map[string]bool{},
		helpers: map[string]bool{}, makers: map[int]bool{}, forms: map[int]form{}, inherited: map[string]string{}, reassigned: map[string]bool{}, declared: map[int]bool{}, sited: map[int]bool{}, seen: map[seenCall]bool{}}
	f.lines = append(f.lines, 0)
	for at := 0; ; {
		i := strings.IndexByte(src[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
		f.lines = append(f.lines, uint32(at))
	}
	return f
}

// lineAt is the 1-based line of an offset.
func (f *file) lineAt(offset int) int {
	return sort.Search(len(f.lines), func(i int) bool { return int(f.lines[i]) > offset })
}

func (f *file) line(n int) int { return f.lineAt(f.tree.start(n)) }

// endLine is the line of the last byte of a node.
func (f *file) endLine(n int) int { return f.lineAt(max(f.tree.start(n), f.tree.end(n)-1)) }

// enclosing is the function that a node stands in, as an index, or raise.NoFunction. A function is not in itself.
func (f *file) enclosing(n int) int {
	// The last function that begins before the node holds it, or one of those around that function does.
	k := sort.Search(len(f.order), func(i int) bool { return f.functions[f.order[i]] >= n }) - 1
	if k < 0 {
		return raise.NoFunction
	}
	i := f.order[k]
	for i >= 0 && n >= f.tree.after(f.functions[i]) {
		i = f.facts.Functions[i].Parent
	}
	return max(i, raise.NoFunction)
}
