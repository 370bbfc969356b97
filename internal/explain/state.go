package explain

import (
	"bytes"
	"context"
	"slices"
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

// state is what pages of one revision share: the facts of its files and what was worked out from them. It is safe for concurrent use.
type state struct {
	revision int64
	files    []catalog.File
	index    map[string]int              // of a file by its path
	cores    map[catalog.FactsKey][]byte // encoded, as most pages need one or two of them
	outlines map[catalog.FactsKey][]byte
	whole    []link.File // what resolving names needs: all functions, those included that raise nothing, types, values and imports
	notes    []*notes.Note
	mentions map[string][]int // files that define or call something of this name
	expected []expectation

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
	s := &state{revision: rev.ID, index: map[string]int{}, cores: map[catalog.FactsKey][]byte{}, outlines: map[catalog.FactsKey][]byte{}, decoded: lru.New[*raise.Facts](decodedRoom), notes: x.notesOf(rev)}
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
		s.cores[k] = bytes.Clone(core)
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
		s.outlines[k] = bytes.Clone(outline)
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.survey()
	s.graph = link.NewGraph(x.all, s.whole)
	return s, nil
}

// outline is the outline of a file, nil if there is none.
func (s *state) outline(file int) *raise.Facts {
	return s.facts("outline ", file, s.outlines, raise.DecodeOutline)
}

// core is the core of a file, nil if there is none.
func (s *state) core(file int) *raise.Facts { return s.facts("core ", file, s.cores, raise.DecodeCore) }

func (s *state) facts(kind string, file int, encoded map[catalog.FactsKey][]byte, decode func([]byte) (*raise.Facts, error)) *raise.Facts {
	key := kind + s.files[file].Path
	if f, ok := s.decoded.Get(key); ok {
		return f
	}
	data := encoded[s.files[file].Key()]
	if len(data) == 0 {
		return nil
	}
	f, err := decode(data)
	if err != nil {
		return nil
	}
	s.decoded.Put(key, f, decodedSize*len(data))
	return f
}

// decodedSize is about how many times larger facts are once they are decoded.
const decodedSize = 8

// functionOf is the number among all functions of a file of one of its core; -1 if there is none.
func (s *state) functionOf(file, function int) int {
	core := s.core(file)
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

// survey notes which files call and define what, and which errors their tests expect.
func (s *state) survey() {
	s.mentions = map[string][]int{}
	note := func(name string, file int) {
		if list := s.mentions[name]; name != "" && (len(list) == 0 || list[len(list)-1] != file) {
			s.mentions[name] = append(list, file)
		}
	}
	for i := range s.files {
		f, err := raise.DecodeOutline(s.outlines[s.files[i].Key()])
		if err != nil {
			continue
		}
		for j := range f.Expectations {
			s.expected = append(s.expected, expectationOf(i, f, j))
		}
		for j := range f.Functions {
			fn := &f.Functions[j]
			note(fn.Name, i)
			for _, c := range fn.Calls {
				note(link.LastName(c.Callee), i)
			}
			*fn = raise.Function{Name: fn.Name, Owner: fn.Owner, Parent: fn.Parent, Line: fn.Line, Exported: fn.Exported, Static: fn.Static}
		}
		facts := *s.whole[i].Facts
		facts.Functions = f.Functions
		s.whole[i].Facts = &facts
	}
}
