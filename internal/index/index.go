// Package index brings the catalog up to date with a repository: it lists the files of a revision, extracts what is new on all
// workers, links, and saves the revision in one step. It can be interrupted at any moment and goes on from there.
package index

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/link"
	"github.com/wherefore-dev/wherefore/internal/notes"
	"github.com/wherefore-dev/wherefore/internal/raise"
	"github.com/wherefore-dev/wherefore/internal/source"
)

// linkVersion is raised with every change of linking that changes what it makes of the same facts.
const linkVersion = 7

// Options say what to index.
type Options struct {
	Catalog   *catalog.Catalog // opened for writing
	Repo      *source.Repository
	Rev       string // "" for what the repository holds now
	Name      string // of the repository in the catalog; "" for its own
	Languages []*lang.Language
	Workers   int // 0 for one a processor
	// Progress is told what was done; it is called from several goroutines. nil for none.
	Progress func(Progress)
	// SkipGenerated leaves out what a program wrote, by path or by content, and counts it.
	SkipGenerated bool
	// Trace adds stack traces to the reports of faults within extractors.
	Trace bool
}

// Progress is how far an index is.
type Progress struct {
	Phase       string // "list", "read", "link", "save"
	Files, Done int    // to read, and read
	Bytes       int64  // read
	Sites       int    // found in the files read
}

// Summary is what an index did.
type Summary struct {
	Repo, Revision string
	Coverage       *api.Coverage
	Read           int  // files whose facts were made
	Cached         int  // files whose facts were there, or are those of another file
	Errors         int  // of the revision
	Same           bool // nothing had changed
	Elapsed        time.Duration
}

// run is one index.
type run struct {
	Options
	catalog  *catalog.Catalog
	repo     *source.Repository
	rev      source.Revision
	workers  int
	trace    bool
	byName   map[string]*lang.Language
	progress *meter
}

// Run indexes one revision.
func Run(ctx context.Context, o Options) (*Summary, error) {
	began := time.Now()
	r := &run{Options: o, catalog: o.Catalog, repo: o.Repo, workers: o.Workers, trace: o.Trace, byName: map[string]*lang.Language{}, progress: &meter{report: o.Progress}}
	if r.workers <= 0 {
		r.workers = runtime.GOMAXPROCS(0)
	}
	for _, l := range o.Languages {
		r.byName[l.Name] = l
	}
	var err error
	if r.rev, err = o.Repo.Resolve(ctx, o.Rev); err != nil {
		return nil, err
	}
	name := o.Name
	if name == "" {
		name = o.Repo.Name()
	}
	known, err := r.known(ctx, name)
	if err != nil {
		return nil, err
	}
	if known != nil && known.summary != nil {
		known.summary.Elapsed = time.Since(began)
		return known.summary, nil
	}
	summary, err := r.index(ctx, name, known)
	if summary != nil {
		summary.Elapsed = time.Since(began)
	}
	return summary, err
}

// former is what the catalog knows of the repository.
type former struct {
	repo    *catalog.Repo
	summary *Summary // set if the revision is indexed and cannot have changed
}

// known looks the revision up. A commit that was indexed by the same recipe cannot have changed.
func (r *run) known(ctx context.Context, name string) (*former, error) {
	repos, err := r.catalog.Repos(ctx)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(repos, func(x catalog.Repo) bool { return x.Name == name })
	if at < 0 {
		return nil, nil
	}
	out := &former{repo: &repos[at]}
	revisions, err := r.catalog.Revisions(ctx, out.repo.ID)
	if err != nil {
		return nil, err
	}
	for i := range revisions {
		v := &revisions[i]
		if v.Label == r.label() && v.Recipe == r.recipe() && v.Tree != "" && v.Tree == r.rev.Tree && !r.rev.Dirty {
			var c api.Coverage
			if err := json.Unmarshal(v.Coverage, &c); err != nil {
				return nil, err
			}
			out.summary = &Summary{Repo: name, Revision: v.Label, Coverage: &c, Cached: c.Files, Same: true}
		}
	}
	return out, nil
}

// label names the revision in the catalog.
func (r *run) label() string {
	switch {
	case r.rev.Commit == "":
		return "folder"
	case r.rev.Dirty:
		return r.rev.Commit + "-dirty"
	}
	return r.rev.Commit
}

// recipe is everything besides the files that decides the result.
func (r *run) recipe() string {
	parts := []string{fmt.Sprint("link ", linkVersion)}
	for _, l := range r.Languages {
		parts = append(parts, fmt.Sprint(l.Name, " ", l.FactsVersion()))
	}
	if r.SkipGenerated {
		parts = append(parts, "without generated")
	}
	return strings.Join(append(parts, r.repo.Recipe()), ", ")
}

func (r *run) index(ctx context.Context, name string, known *former) (*Summary, error) {
	r.progress.phase("list")
	memo := []byte(nil)
	if known != nil {
		memo = known.repo.Stat
	}
	listing, err := r.repo.List(ctx, r.rev, memo)
	if err != nil {
		return nil, err
	}
	files := slices.DeleteFunc(listing.Files, func(f source.File) bool { return r.byName[f.Language] == nil })
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no file in a language that wherefore reads (%s)", name, r.languageNames())
	}
	cores, missing, err := r.cached(ctx, files)
	if err != nil {
		return nil, err
	}
	cached := len(files) - len(missing)
	r.progress.start(len(missing))
	x, err := r.extract(ctx, missing)
	if err != nil {
		return nil, err
	}
	r.progress.phase("link")
	linked, files, dropped, err := r.link(name, files, cores, x)
	if err != nil {
		return nil, err
	}
	r.progress.phase("save")
	coverage := r.coverage(files, linked, slices.Concat(dropped, listing.Skipped, x.skipped), x.failed)
	coverage.Repo, coverage.Revision, coverage.Indexed = name, r.label(), time.Now().UTC().Truncate(time.Second)
	n, err := r.save(ctx, name, listing.Memo, files, linked, coverage)
	if err != nil {
		return nil, err
	}
	return &Summary{Repo: name, Revision: r.label(), Coverage: coverage, Read: len(missing), Cached: cached, Errors: n}, nil
}

func (r *run) languageNames() string {
	var names []string
	for _, l := range r.Languages {
		if l.Catalogue == nil || !l.Catalogue.Only {
			names = append(names, l.Name)
		}
	}
	return strings.Join(names, ", ")
}

// cached reads the cores that the catalog has, decoded, and lists the files that it lacks, each content once.
func (r *run) cached(ctx context.Context, files []source.File) (map[catalog.FactsKey]*raise.Facts, []source.File, error) {
	keys := make([]catalog.FactsKey, len(files))
	for i, f := range files {
		keys[i] = key(f)
	}
	version := func(language string) int {
		if l := r.byName[language]; l != nil {
			return l.FactsVersion()
		}
		return -1
	}
	cores := make(map[catalog.FactsKey]*raise.Facts, len(files))
	err := r.catalog.Cores(ctx, keys, version, func(k catalog.FactsKey, core []byte) error {
		facts, err := raise.DecodeCore(core)
		if err != nil {
			return nil // read the file again
		}
		facts.Lighten()
		cores[k] = facts
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	var missing []source.File
	wanted := map[catalog.FactsKey]bool{}
	for i, f := range files {
		if cores[keys[i]] == nil && !wanted[keys[i]] {
			wanted[keys[i]] = true
			missing = append(missing, f)
		}
	}
	return cores, missing, nil
}

func key(f source.File) catalog.FactsKey {
	return catalog.FactsKey{Hash: catalog.Hash(f.Hash), Language: f.Language}
}

// link joins the facts of all files that could be read and are wanted. It returns these, and counts those that are not.
func (r *run) link(name string, files []source.File, cores map[catalog.FactsKey]*raise.Facts, x *extraction) (*link.Revision, []source.File, []source.Skipped, error) {
	for k, core := range x.fresh {
		facts, err := raise.DecodeCore(core)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("facts just made of %x: %w", k.Hash, err)
		}
		facts.Lighten()
		delete(x.fresh, k)
		cores[k] = facts
	}
	var in []link.File
	var kept []source.File
	unwanted := 0
	for _, f := range files {
		facts := cores[key(f)]
		if facts == nil {
			continue // it could not be read
		}
		f.Kind = source.Stronger(f.Kind, source.Kind(facts.FileKind))
		if r.SkipGenerated && (f.Kind == source.Generated || f.Kind == source.Minified) {
			unwanted++
			continue
		}
		in, kept = append(in, link.File{Path: f.Path, Facts: facts}), append(kept, f)
	}
	var dropped []source.Skipped
	if unwanted > 0 {
		dropped = append(dropped, source.Skipped{Reason: source.ReasonGenerated, Count: unwanted})
	}
	return link.Link(name, r.Languages, in), kept, dropped, nil
}

// save writes the revision and brings the match index up to date. It returns the number of errors.
func (r *run) save(ctx context.Context, name string, memo []byte, files []source.File, linked *link.Revision, coverage *api.Coverage) (int, error) {
	text, err := json.Marshal(coverage)
	if err != nil {
		return 0, err
	}
	entries := make([]catalog.FileEntry, len(files))
	var errs []catalog.ErrorEntry
	seen := map[string]int{} // id to index in errs
	for i, f := range files {
		entries[i] = catalog.FileEntry{Path: f.Path, Hash: catalog.Hash(f.Hash), Language: f.Language, Kind: string(f.Kind), Size: f.Size}
		unit := linked.Unit(i)
		if len(unit) == 0 {
			continue
		}
		entries[i].Unit = link.EncodeUnit(unit)
		for _, s := range unit {
			for _, v := range s.Variants {
				if !slices.Contains(entries[i].Errors, v.ID) {
					entries[i].Errors = append(entries[i].Errors, v.ID)
				}
				if _, ok := seen[v.ID]; !ok {
					seen[v.ID] = len(errs)
					errs = append(errs, catalog.ErrorEntry{ID: v.ID, Language: f.Language, Kind: string(s.Kind), Type: v.Type,
						Template: v.Template.Append(nil)})
				}
			}
			for _, t := range s.Translations {
				if at, ok := seen[s.Variants[t.Variant].ID]; ok {
					errs[at].Translations = append(errs[at].Translations, t.Template.Append(nil))
				}
			}
		}
	}
	written, err := r.notes(ctx)
	if err != nil {
		return 0, err
	}
	repo := &catalog.Repo{Name: name, Location: r.repo.Location(), Host: r.repo.Host(), Stat: memo}
	rev := &catalog.Revision{Label: r.label(), Commit: r.rev.Commit, Dirty: r.rev.Dirty, Tree: r.rev.Tree, Names: r.rev.Names,
		Time: r.rev.Time, Indexed: coverage.Indexed, Recipe: r.recipe(), Coverage: text, Notes: written}
	if err := r.catalog.SaveRevision(ctx, repo, rev, entries, errs); err != nil {
		return 0, err
	}
	return len(errs), BuildMatch(ctx, r.catalog)
}

// notes reads what people wrote about the errors of the repository.
func (r *run) notes(ctx context.Context) (map[string]string, error) {
	texts, err := r.repo.Below(ctx, r.rev, notes.Folder, notes.Suffix)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for path, text := range texts {
		out[path] = string(text)
	}
	return out, nil
}
