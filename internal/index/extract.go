package index

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/raise"
	"github.com/wherefore-dev/wherefore/internal/source"
)

// Facts are kept in batches, so that an interrupted index loses little: whichever comes first.
const (
	batchFiles = 512
	batchBytes = 8 << 20
)

// ReasonFailed is how coverage counts the files on which an extractor failed.
const ReasonFailed = "the extractor failed"

// extraction reads the files whose facts the catalog does not have yet.
type extraction struct {
	*run
	mu      sync.Mutex
	batch   []catalog.Facts
	size    int
	fresh   map[catalog.FactsKey][]byte // cores that this run made
	skipped []source.Skipped            // files that could not be read
	failed  map[catalog.FactsKey]string // what extractors that failed said of a content
}

// extract makes the facts of the wanted files on all workers.
func (r *run) extract(ctx context.Context, wanted []source.File) (*extraction, error) {
	x := &extraction{run: r, fresh: make(map[catalog.FactsKey][]byte, len(wanted)), failed: map[catalog.FactsKey]string{}}
	jobs := make(chan source.File, 64)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(jobs)
		for _, f := range wanted {
			select {
			case jobs <- f:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for range r.workers {
		group.Go(func() error { return x.worker(ctx, jobs) })
	}
	err := group.Wait()
	// What was extracted before a fault or an interruption is kept: the next run goes on from there.
	if flush := x.flush(context.WithoutCancel(ctx)); err == nil {
		err = flush
	}
	return x, err
}

func (x *extraction) worker(ctx context.Context, jobs <-chan source.File) error {
	reader, err := x.repo.Reader(ctx, x.rev)
	if err != nil {
		return err
	}
	defer reader.Close()
	extractors := map[string]lang.Extractor{}
	for f := range jobs {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		raw, err := reader.Read(f)
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			x.skip(f, err)
			continue
		}
		l := x.byName[f.Language]
		if extractors[l.Name] == nil {
			extractors[l.Name] = l.NewExtractor()
		}
		if err := x.file(ctx, f, raw, l, extractors[l.Name]); err != nil {
			return err
		}
	}
	return nil
}

func (x *extraction) skip(f source.File, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.skipped = append(x.skipped, source.SkippedFor(f, err))
}

// file extracts one file. Facts belong to the hash of the bytes that were read, not of those that were listed.
func (x *extraction) file(ctx context.Context, f source.File, raw []byte, l *lang.Language, extract lang.Extractor) error {
	facts := x.guarded(f, raw, extract)
	facts.Language = l.Name
	one := catalog.Facts{FactsKey: catalog.FactsKey{Hash: catalog.Hash(f.Hash), Language: l.Name}, Version: l.FactsVersion(),
		Core: raise.EncodeCore(facts), Outline: raise.EncodeOutline(facts), Head: raise.EncodeHead(facts)}
	x.progress.add(f.Size, len(facts.Sites))
	x.mu.Lock()
	defer x.mu.Unlock()
	x.fresh[one.FactsKey] = one.Core
	x.batch = append(x.batch, one)
	x.size += len(one.Core) + len(one.Outline) + len(one.Head)
	if len(x.batch) < batchFiles && x.size < batchBytes {
		return nil
	}
	return x.flushLocked(ctx)
}

// guarded extracts a file; a fault of an extractor costs that file alone, and is counted and named.
func (x *extraction) guarded(f source.File, raw []byte, extract lang.Extractor) (facts *raise.Facts) {
	defer func() {
		if r := recover(); r != nil {
			reason := fmt.Sprint(r)
			if x.trace {
				reason += "\n" + string(debug.Stack())
			}
			x.mu.Lock()
			defer x.mu.Unlock()
			x.failed[catalog.FactsKey{Hash: catalog.Hash(source.BlobHash(raw)), Language: f.Language}] = reason
			facts = &raise.Facts{Problems: []raise.Problem{{Line: 1, Reason: ReasonFailed}}}
		}
	}()
	text, _, err := source.Decode(raw)
	facts = extract(text, lang.Options{})
	if kind := source.ContentKind(source.Product, text); kind != source.Product {
		facts.FileKind = string(kind)
	}
	if err != nil {
		facts.Problems = append(facts.Problems, raise.Problem{Line: 1, Reason: err.Error()})
	}
	return facts
}

func (x *extraction) flush(ctx context.Context) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.flushLocked(ctx)
}

func (x *extraction) flushLocked(ctx context.Context) error {
	if len(x.batch) == 0 {
		return nil
	}
	err := x.catalog.PutFacts(ctx, x.batch)
	x.batch, x.size = x.batch[:0], 0
	return err
}
