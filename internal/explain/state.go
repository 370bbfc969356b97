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

// state is what pages of one revision share: the facts of its files and what was worked out from them. It is safe for concurrent use.
type state struct {
	revision int64
	files    []catalog.File
	index    map[string]int // of a file by its path
	load     func(kind facts, key catalog.FactsKey, each func(encoded []byte) error) error
	whole    []link.File // what resolving names needs: all functions, those included that raise nothing, types, values and imports
	notes    []*notes.Note
	mentions map[string][]int // files that define or call something of this name
	handled  map[string][]int // files that take up errors called like this
	expected []expectation

	documents sync.Once
	docs      []document
	history   sync.Once
	commitsOf *Changes

	mu      sync.Mutex // of graph, which remembers what it resolved
	graph   *link.Graph
	decoded *lru.Cache[*raise.Facts]
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

// readState reads the facts of the files of a revision.
func (x *Explainer) readState(ctx context.Context, rev *catalog.Revision) (*state, error) {
	s := &state{revision: rev.ID, index: map[string]int{}, mentions: map[string][]int{}, handled: map[string][]int{}, decoded: lru.New[*raise.Facts](decodedRoom), notes: x.notesOf(rev)}
	var err error
	if s.files, err = x.catalog.Files(ctx, rev.ID); err != nil {
		return nil, err
	}
	keys := make([]catalog.FactsKey, len(s.files))
	at := map[catalog.FactsKey][]int{}
	s.whole = make([]link.File, len(s.files))
	for i := range s.files {
		s.index[s.files[i].Path] = i
		keys[i] = s.files[i].Key()
		at[keys[i]] = append(at[keys[i]], i)
		s.whole[i] = link.File{Path: s.files[i].Path, Facts: &raise.Facts{Language: s.files[i].Language}}
	}
	err = x.catalog.Cores(ctx, keys, x.version, func(k catalog.FactsKey, core []byte) error {
		facts, err := raise.DecodeCore(core)
		if err != nil {
			return err
		}
		facts.Sites, facts.Functions, facts.Doc = nil, nil, ""
		for _, i := range at[k] {
			s.whole[i].Facts = facts
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = x.catalog.Outlines(ctx, keys, x.version, func(k catalog.FactsKey, outline []byte) error {
		for _, i := range at[k] {
			if err := s.survey(i, outline); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, list := range s.mentions {
		slices.Sort(list)
	}
	// What pages read later they read for all that come after them, too: it does not end with one of them.
	s.load = func(kind facts, key catalog.FactsKey, each func([]byte) error) error {
		read := x.catalog.Cores
		if kind == outlines {
			read = x.catalog.Outlines
		}
		return read(context.WithoutCancel(ctx), []catalog.FactsKey{key}, x.version, func(_ catalog.FactsKey, encoded []byte) error { return each(encoded) })
	}
	s.graph = link.NewGraph(x.all, s.whole)
	return s, nil
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
	return slices.IndexFunc(s.whole[file].Facts.Functions, func(f raise.Function) bool {
		return f.Line == fn.Line && f.Name == fn.Name && f.Owner == fn.Owner
	})
}

// calling lists the calls of a function, by its number among all functions of the file.
func (s *state) calling(file, function int) []link.Caller {
	if function < 0 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	fn := &s.whole[file].Facts.Functions[function]
	candidates := slices.Concat(s.mentions[fn.Name], s.mentions[link.LastName(fn.Owner)])
	slices.Sort(candidates)
	return s.graph.Callers(file, function, slices.Compact(candidates), s.outline)
}

// survey notes what a file defines and calls, and which errors its tests expect.
func (s *state) survey(file int, outline []byte) error {
	f, err := raise.DecodeOutline(outline)
	if err != nil {
		return err
	}
	// Names are kept as copies: those of the outline hold all of its text.
	note := func(name string) {
		list := s.mentions[name]
		if len(list) == 0 {
			name = strings.Clone(name)
		}
		if name != "" && (len(list) == 0 || list[len(list)-1] != file) {
			s.mentions[name] = append(list, file)
		}
	}
	for j := range f.Expectations {
		s.expected = append(s.expected, expectationOf(file, f, j))
	}
	for j := range f.Handlers {
		for _, t := range f.Handlers[j].Types {
			name := link.LastName(t)
			if list := s.handled[name]; len(list) == 0 || list[len(list)-1] != file {
				s.handled[strings.Clone(name)] = append(s.handled[name], file)
			}
		}
	}
	functions := make([]raise.Function, len(f.Functions))
	for j := range f.Functions {
		fn := &f.Functions[j]
		note(fn.Name)
		for _, c := range fn.Calls {
			note(link.LastName(c.Callee))
		}
		functions[j] = raise.Function{Name: strings.Clone(fn.Name), Owner: strings.Clone(fn.Owner), Parent: fn.Parent, Line: fn.Line,
			Exported: fn.Exported, Static: fn.Static}
	}
	whole := *s.whole[file].Facts
	whole.Functions = functions
	s.whole[file].Facts = &whole
	return nil
}
