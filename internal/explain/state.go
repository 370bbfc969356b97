package explain

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/link"
	"github.com/wherefore-dev/wherefore/internal/lru"
	"github.com/wherefore-dev/wherefore/internal/notes"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// maxStates bounds the revisions whose facts are kept in memory.
const maxStates = 3

// decodedRoom bounds the memory of cores and outlines that stay decoded, in bytes.
const decodedRoom = 48 << 20

// facts are the two parts that the facts of a file are kept in.
type facts string

const (
	cores    facts = "core"
	outlines facts = "outline"
)

// state is what pages of one revision share: which names stand in which of its files, and what was read of them so far. It is safe for
// concurrent use.
type state struct {
	revision int64
	files    []catalog.File
	index    map[string]int // of a file by its path
	heads    []raise.Head
	load     func(kind facts, key catalog.FactsKey, each func(encoded []byte) error) error
	notes    []*notes.Note

	documents sync.Once
	docs      []document
	history   sync.Once
	commitsOf *Changes

	mu       sync.Mutex // of graph and mentions, which remember what they were asked for
	graph    *link.Graph
	mentions map[string][]int // files in which a name may stand for something
	callers  map[[2]int][]link.Caller
	decoded  *lru.Cache[*raise.Facts]
}

// stateOf returns the state of a revision, which is read once.
func (x *Explainer) stateOf(ctx context.Context, rev *catalog.Revision) (*state, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if i := slices.IndexFunc(x.states, func(s *state) bool { return s.revision == rev.ID }); i >= 0 {
		s := x.states[i]
		copy(x.states[1:i+1], x.states[:i])
		x.states[0] = s
		return s, nil
	}
	s, err := x.readState(ctx, rev)
	if err != nil {
		return nil, err
	}
	x.states = append([]*state{s}, x.states[:min(len(x.states), maxStates-1)]...)
	return s, nil
}

// readState reads the heads of the files of a revision.
func (x *Explainer) readState(ctx context.Context, rev *catalog.Revision) (*state, error) {
	s := &state{revision: rev.ID, index: map[string]int{}, mentions: map[string][]int{}, decoded: lru.New[*raise.Facts](decodedRoom), notes: x.notesOf(rev)}
	var err error
	if s.files, err = x.catalog.Files(ctx, rev.ID); err != nil {
		return nil, err
	}
	s.heads = make([]raise.Head, len(s.files))
	keys := make([]catalog.FactsKey, len(s.files))
	at := map[catalog.FactsKey][]int{}
	for i := range s.files {
		s.index[s.files[i].Path] = i
		keys[i] = s.files[i].Key()
		at[keys[i]] = append(at[keys[i]], i)
	}
	err = x.catalog.Heads(ctx, keys, x.version, func(k catalog.FactsKey, head []byte) error {
		h, err := raise.DecodeHead(head)
		if err != nil {
			return err
		}
		for _, i := range at[k] {
			s.heads[i] = h
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	// What pages read later they read for all that come after them, too: it does not end with one of them.
	s.load = func(kind facts, key catalog.FactsKey, each func([]byte) error) error {
		read := x.catalog.Cores
		if kind == outlines {
			read = x.catalog.Outlines
		}
		return read(context.WithoutCancel(ctx), []catalog.FactsKey{key}, x.version, func(_ catalog.FactsKey, encoded []byte) error { return each(encoded) })
	}
	files := make([]link.File, len(s.files))
	for i := range s.files {
		files[i] = link.File{Path: s.files[i].Path, Facts: &raise.Facts{Language: s.files[i].Language, Module: s.heads[i].Module}}
	}
	s.graph = link.NewGraph(x.all, files, s.names, func(file int, name string) bool { return s.heads[file].May(raise.OfDefined, name) })
	return s, nil
}

// names are what resolving the names of a file needs: all its functions, types, values and imports; nil if there is none.
func (s *state) names(file int) (out *raise.Facts) {
	outline := s.outline(file)
	if outline == nil {
		return nil
	}
	err := s.load(cores, s.files[file].Key(), func(encoded []byte) error {
		var err error
		out, err = raise.DecodeNames(encoded)
		return err
	})
	if err != nil || out == nil {
		return nil
	}
	out.Doc, out.Functions = "", make([]raise.Function, len(outline.Functions))
	for i := range outline.Functions {
		fn := &outline.Functions[i]
		out.Functions[i] = raise.Function{Name: strings.Clone(fn.Name), Owner: strings.Clone(fn.Owner), Parent: fn.Parent, Line: fn.Line,
			Exported: fn.Exported, Static: fn.Static}
	}
	return out
}

// functions are all functions of a file.
func (s *state) functions(file int) []raise.Function {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.graph.Facts(file).Functions
}

// holding lists the files in which a name may stand for something.
func (s *state) holding(of raise.Of, name string) []int {
	key := string(of) + name
	list, ok := s.mentions[key]
	if !ok {
		for i := range s.heads {
			if s.heads[i].May(of, name) {
				list = append(list, i)
			}
		}
		s.mentions[key] = list
	}
	return list
}

// outline is the outline of a file, nil if there is none.
func (s *state) outline(file int) *raise.Facts {
	return s.facts(outlines, file, raise.DecodeOutline)
}

// core is the core of a file, nil if there is none.
func (s *state) core(file int) *raise.Facts { return s.facts(cores, file, raise.DecodeCore) }

func (s *state) facts(kind facts, file int, decode func([]byte) (*raise.Facts, error)) (out *raise.Facts) {
	name := string(kind) + " " + s.files[file].Path
	if f, ok := s.decoded.Get(name); ok {
		return f
	}
	err := s.load(kind, s.files[file].Key(), func(encoded []byte) error {
		var err error
		if out, err = decode(encoded); err == nil {
			s.decoded.Put(name, out, decodedSize*len(encoded))
		}
		return err
	})
	if err != nil {
		return nil // the page then says less
	}
	return out
}

// decodedSize is about how many times larger facts are once they are decoded.
const decodedSize = 8

// functionOf is the number among all functions of a file of one of its core; -1 if there is none.
func (s *state) functionOf(core *raise.Facts, file, function int) int {
	if core == nil || function < 0 || function >= len(core.Functions) {
		return -1
	}
	fn := &core.Functions[function]
	return slices.IndexFunc(s.functions(file), func(f raise.Function) bool {
		return f.Line == fn.Line && f.Name == fn.Name && f.Owner == fn.Owner
	})
}

// maxRemembered bounds the functions whose callers are remembered: the ways to raises go through the same ones again and again.
const maxRemembered = 20000

// calling lists the calls of a function, by its number among all functions of the file.
func (s *state) calling(file, function int) []link.Caller {
	if function < 0 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := [2]int{file, function}
	if out, ok := s.callers[key]; ok {
		return out
	}
	if s.callers == nil || len(s.callers) >= maxRemembered {
		s.callers = map[[2]int][]link.Caller{}
	}
	fn := &s.graph.Facts(file).Functions[function]
	candidates := slices.Concat(s.holding(raise.OfCall, fn.Name), s.holding(raise.OfCall, link.LastName(fn.Owner)))
	slices.Sort(candidates)
	out := s.graph.Callers(file, function, slices.Compact(candidates), s.outline)
	s.callers[key] = out
	return out
}
