// Package service answers for every door that stays open: it holds a catalog with a finder, an explainer and lists of errors, remembers
// what it answered, and goes over to the next state of the catalog when somebody indexes while it serves.
//
// A state is one generation of one catalog file, with all that was read of it. Work on a state that turns out to be over is done again
// on the next one, so that no answer mixes two. A state is closed when its last user has left it.
package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/explain"
	"github.com/wherefore-dev/wherefore/internal/index"
	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lru"
	"github.com/wherefore-dev/wherefore/internal/match"
)

// Options say what a service reads and how much it keeps.
type Options struct {
	Languages []*lang.Language
	Traces    []lang.Trace
	Sources   explain.Sources
	// Poll is how often the catalog is asked for a new state; 0 for a second.
	Poll time.Duration
	// Finders is how many reports are looked up at once; 0 for the number of processors.
	Finders int
	// Remembered bounds the memory for answers and pages, in bytes; 0 for 32 MB.
	Remembered int
	// Log, if not nil, is told of a state that could not be opened; the one before it then stays.
	Log func(error)
}

// Service is an open service. It is safe for concurrent use. What it returns is shared: callers must not change it.
type Service struct {
	path    string
	options Options
	stop    context.CancelFunc
	stopped chan struct{}

	renewing sync.Mutex // held while the next state is opened
	mu       sync.Mutex // guards what follows and the users of every state
	now      *state
	closed   bool
}

// Open opens the catalog at path. [catalog.ErrNone] if there is none.
func Open(ctx context.Context, path string, o Options) (*Service, error) {
	if o.Poll <= 0 {
		o.Poll = time.Second
	}
	if o.Finders <= 0 {
		o.Finders = runtime.GOMAXPROCS(0)
	}
	if o.Remembered <= 0 {
		o.Remembered = 32 << 20
	}
	if o.Log == nil {
		o.Log = func(error) {}
	}
	s := &Service{path: path, options: o, stopped: make(chan struct{})}
	first, err := s.openState(ctx)
	if err != nil {
		return nil, err
	}
	s.now = first
	ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	go s.watch(ctx)
	return s, nil
}

// Close ends the service. Work that is under way ends as it would have.
func (s *Service) Close() error {
	s.stop()
	<-s.stopped
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	return s.now.leave()
}

// watch goes over to new states until the service is closed.
func (s *Service) watch(ctx context.Context) {
	defer close(s.stopped)
	tick := time.NewTicker(s.options.Poll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := s.Renew(ctx); err != nil && ctx.Err() == nil {
				s.options.Log(err)
			}
		}
	}
}

// Renew goes over to the catalog's state of now, if it is another one.
func (s *Service) Renew(ctx context.Context) error {
	s.renewing.Lock()
	defer s.renewing.Unlock()
	st, err := s.enter()
	if err != nil {
		return err
	}
	defer s.exit(st)
	over, err := st.over(ctx)
	if err != nil {
		return fmt.Errorf("look for a new state of the catalog: %w", err)
	}
	if !over {
		return nil
	}
	next, err := s.openState(ctx)
	if err != nil {
		return fmt.Errorf("open the new state of the catalog: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = next
	return st.leave() // the service's own use of it
}

// ErrClosed is returned by a service that was closed.
var ErrClosed = errors.New("the service is closed")

// enter returns the state of now and counts its user, who has to exit.
func (s *Service) enter() (*state, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, ErrClosed
	}
	s.now.users++
	return s.now, nil
}

func (s *Service) exit(st *state) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// Nothing was written: a fault on closing changes no answer.
	_ = st.leave()
}

// state is one state of a catalog and what was read of it.
type state struct {
	file       os.FileInfo
	generation string
	catalog    *catalog.Catalog
	match      *match.Index
	finders    chan *match.Finder
	explainer  *explain.Explainer
	explaining sync.Mutex // an explainer is for one goroutine
	kept       *lru.Cache[any]
	repos      []repo
	lists      lists
	users      int // guarded by Service.mu; the service itself is one
}

// repo is a repository with its revisions, newest first.
type repo struct {
	catalog.Repo
	revisions []catalog.Revision
}

func (s *Service) openState(ctx context.Context) (*state, error) {
	file, err := os.Stat(s.path)
	if err != nil {
		file = nil // the catalog's own error says more
	}
	c, err := catalog.OpenRead(ctx, s.path)
	if err != nil {
		return nil, err
	}
	st := &state{file: file, catalog: c, users: 1, kept: lru.New[any](s.options.Remembered)}
	if err := st.load(ctx, &s.options); err != nil {
		return nil, errors.Join(err, st.close())
	}
	return st, nil
}

func (st *state) load(ctx context.Context, o *Options) error {
	var err error
	if st.generation, err = st.catalog.Generation(ctx); err != nil {
		return err
	}
	if st.match, err = index.OpenMatch(ctx, st.catalog); err != nil {
		return err
	}
	repos, err := st.catalog.Repos(ctx)
	if err != nil {
		return err
	}
	for i := range repos {
		revisions, err := st.catalog.Revisions(ctx, repos[i].ID)
		if err != nil {
			return err
		}
		if len(revisions) > 0 {
			st.repos = append(st.repos, repo{repos[i], revisions})
		}
	}
	st.explainer = explain.New(st.catalog, o.Languages, o.Sources)
	st.finders = make(chan *match.Finder, o.Finders)
	for range o.Finders {
		st.finders <- match.NewFinder(st.catalog, st.match, o.Languages, o.Traces)
	}
	return nil
}

// over reports whether the catalog is in another state by now, or another catalog stands in its place.
func (st *state) over(ctx context.Context) (bool, error) {
	if file, err := os.Stat(st.catalog.Path()); err == nil && st.file != nil && !os.SameFile(file, st.file) {
		return true, nil
	}
	g, err := st.catalog.Generation(ctx)
	return g != st.generation, err
}

// leave counts a user less, and closes the state behind the last one.
func (st *state) leave() error {
	st.users--
	if st.users > 0 {
		return nil
	}
	return st.close()
}

func (st *state) close() error {
	var err error
	if st.match != nil {
		err = st.match.Close()
	}
	return errors.Join(err, st.catalog.Close())
}

// tries is how often work is begun again because the state was over meanwhile.
const tries = 5

// remembered returns what make makes of the state of now, and remembers it under a key for the life of that state.
func remembered[T any](ctx context.Context, s *Service, key string, make func(*state) (T, error)) (out T, err error) {
	for range tries {
		st, err := s.enter()
		if err != nil {
			return out, err
		}
		if v, ok := st.kept.Get(key); ok {
			s.exit(st)
			return v.(T), nil
		}
		var fault error
		out, fault = make(st)
		over, err := st.over(ctx)
		if err == nil && !over && fault == nil {
			st.kept.Put(key, out, weigh(out))
		}
		s.exit(st)
		if err != nil || !over {
			return out, errors.Join(fault, err)
		}
		if err := s.Renew(ctx); err != nil {
			return out, err
		}
	}
	return out, err
}

// weigh is about how much memory a value takes.
func weigh(v any) int {
	if _, ok := v.(func(string, int) string); ok {
		return 1 << 10
	}
	text, err := json.Marshal(v)
	if err != nil {
		return 1 << 20
	}
	return 2 * len(text)
}

// Generation names the state of now: answers of one generation never change.
func (s *Service) Generation() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now.generation
}
