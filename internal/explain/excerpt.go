package explain

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/lang"
)

// around is how many lines an excerpt shows before and behind the raise.
const around = 8

// Excerpt shows lines of an indexed file with those around them, nil where the source cannot be read any more.
// [catalog.ErrUnknown] if there is no such repository or revision.
func (x *Explainer) Excerpt(ctx context.Context, at api.Where) (*api.Excerpt, error) {
	repo, rev, err := x.named(ctx, at.Repo, at.Revision)
	if err != nil {
		return nil, err
	}
	return x.excerpt(ctx, repo, rev, at.Path, at.Line, at.EndLine), nil
}

// named finds a repository and a revision of it by their names.
func (x *Explainer) named(ctx context.Context, name, label string) (*catalog.Repo, *catalog.Revision, error) {
	repos, err := x.reposOf(ctx)
	if err != nil {
		return nil, nil, err
	}
	i := slices.IndexFunc(repos, func(r catalog.Repo) bool { return r.Name == name })
	if i < 0 {
		return nil, nil, &catalog.UnknownError{Kind: "repository", Name: name}
	}
	all, err := x.revisionsOf(ctx, repos[i].ID)
	if err != nil {
		return nil, nil, err
	}
	j := slices.IndexFunc(all, func(r revision) bool { return r.Named(label) })
	if j < 0 {
		return nil, nil, &catalog.UnknownError{Kind: "revision", Name: label + " of " + name}
	}
	return &repos[i], &all[j].Revision, nil
}

// excerpt shows the lines around a raise; nil if the source cannot be read.
func (x *Explainer) excerpt(ctx context.Context, repo *catalog.Repo, rev *catalog.Revision, file string, from, to int) *api.Excerpt {
	return x.around(file, x.linesOf(ctx, repo, rev, file), from, to)
}

// linesOf reads the lines of a file; nil if it cannot be read. Those of a commit are remembered, since they stay what they are.
func (x *Explainer) linesOf(ctx context.Context, repo *catalog.Repo, rev *catalog.Revision, file string) []string {
	if x.read == nil {
		return nil
	}
	key := fmt.Sprint(repo.ID, " ", rev.Commit, " ", file)
	fixed := rev.Commit != "" && !rev.Dirty
	if lines, ok := x.lines.Get(key); ok && fixed {
		return lines
	}
	text, err := x.read(ctx, repo, rev, file)
	if err != nil {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if fixed {
		x.lines.Put(key, lines, len(text)+16*len(lines))
	}
	return lines
}

// around cuts lines out of a file with those around them; nil if the file has no such lines.
func (x *Explainer) around(file string, lines []string, from, to int) *api.Excerpt {
	first, last := max(1, from-around), min(len(lines), to+around/2)
	if from > len(lines) || first > last {
		return nil
	}
	return &api.Excerpt{First: first, Lines: lines[first-1 : last], From: from, To: min(to, len(lines)), Language: x.languageOf(file)}
}

// languageOf is the language of a file by its name, "" if that tells none.
func (x *Explainer) languageOf(file string) string {
	name := path.Base(file)
	i := slices.IndexFunc(x.all, func(l *lang.Language) bool {
		return slices.Contains(l.Filenames, name) || slices.Contains(l.Extensions, strings.ToLower(path.Ext(name)))
	})
	if i < 0 {
		return ""
	}
	return x.all[i].Name
}

// Complete puts into an answer what only the source tells: which expressions of the line can have raised what the language itself
// raises, and the address of that line.
func (x *Explainer) Complete(ctx context.Context, a *api.Answer) {
	for i := range a.Observations {
		o := &a.Observations[i]
		if o.Fault == nil || o.Fault.Repo == "" {
			continue
		}
		repo, rev, err := x.named(ctx, o.Fault.Repo, o.Fault.Revision)
		if err != nil {
			continue // the answer stands without it
		}
		if x.link != nil && rev.Commit != "" && !rev.Dirty {
			o.Fault.URL = x.link(repo, o.Fault.Path, o.Fault.Line, o.Fault.Line, rev.Commit)
		}
		e := x.excerpt(ctx, repo, rev, o.Fault.Path, o.Fault.Line, o.Fault.Line)
		l := x.langs[o.Fault.Language]
		if e == nil || l == nil || len(o.Fault.Expressions) > 0 {
			continue
		}
		if f, groups, ok := l.FaultOf(o.Type, o.Message); ok {
			o.Fault.Expressions = f.Expressions(e.Lines[e.From-e.First], groups)
		}
	}
}
