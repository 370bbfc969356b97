package match

import (
	"path"
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// fault says of a refused error whether the language itself raises it, and where the frames say that it did.
func (j *job) fault(o *api.Observation, frames []raise.Frame) error {
	if o.Decision != api.Refused || len(o.Candidates) > 0 && len(frames) == 0 {
		return nil // a site that prints it is as likely
	}
	l, f, groups := j.faultOf(o.Type, o.Message, frames)
	if l == nil {
		return nil
	}
	out := &api.Fault{Language: l.Name, Says: f.Say(groups)}
	o.Fault, o.Nearest = out, nil
	o.Why = "The language raises this itself, no statement of the code: " + out.Says + "."
	for _, frame := range frames[:min(len(frames), maxFrames)] {
		if frame.Line == 0 || frame.Path == "" {
			continue
		}
		file, rev, err := j.fileOf(frame, l)
		if err != nil {
			return err
		}
		if file == nil && out.Path != "" {
			continue // the innermost frame is named where none is of an indexed file
		}
		if file != nil || out.Path == "" {
			out.Path, out.Line, out.Function = frame.Path, frame.Line, frame.Function
			out.Expressions = f.Expressions(frame.Source, groups)
		}
		if file != nil {
			repo, err := j.store.repo(j.ctx, file.Repo)
			if err != nil {
				return err
			}
			out.Repo, out.Revision, out.Path = repo.Name, rev.Label, file.Path
			return nil
		}
	}
	return nil
}

// faultOf is the fault that an error is, of the language that the frames' files are in.
func (j *job) faultOf(typ, text string, frames []raise.Frame) (*lang.Language, *lang.Fault, []string) {
	var languages []*lang.Language
	for _, f := range frames {
		if ending := strings.ToLower(path.Ext(slashed(f.Path))); ending != "" {
			for _, l := range j.langs {
				if slices.Contains(l.Extensions, ending) {
					languages = append(languages, l)
				}
			}
		}
		if len(languages) > 0 {
			break
		}
	}
	if len(languages) == 0 {
		for _, l := range j.langs {
			languages = append(languages, l)
		}
	}
	slices.SortFunc(languages, func(a, b *lang.Language) int { return strings.Compare(a.Name, b.Name) })
	for _, l := range languages {
		if f, groups, ok := l.FaultOf(typ, text); ok {
			return l, f, groups
		}
	}
	return nil, nil, nil
}

// fileOf is the indexed file that a frame means, with the newest revision that holds it: the one whose path shares most with the
// frame's; nil if there is none, or several that share as much.
func (j *job) fileOf(f raise.Frame, l *lang.Language) (*catalog.File, *catalog.Revision, error) {
	all, err := j.catalogFiles(path.Base(slashed(f.Path)))
	if err != nil {
		return nil, nil, err
	}
	var best *catalog.File
	var rev *catalog.Revision
	shared, same := 0, false
	for i := range all {
		file := &all[i]
		n := tail(f.Path, file.Path)
		if file.Language != l.Name || n < shared || n < 2 && strings.Contains(slashed(f.Path), "/") && strings.Contains(file.Path, "/") {
			continue
		}
		holds, err := j.newestWith(file)
		if err != nil {
			return nil, nil, err
		}
		switch {
		case holds == nil:
		case n > shared || rev != nil && holds.Repo == rev.Repo && file.Path == best.Path && newer(holds, rev) < 0:
			best, rev, same, shared = file, holds, false, n
		case file.Path != best.Path || file.Repo != best.Repo:
			same = true
		}
	}
	if same {
		return nil, nil, nil
	}
	return best, rev, nil
}

func (j *job) catalogFiles(name string) ([]catalog.File, error) {
	if name == "" || name == "." || name == "/" {
		return nil, nil
	}
	return j.store.catalog.FilesNamed(j.ctx, name)
}

// newestWith is the newest revision in scope that holds a file; nil if there is none.
func (j *job) newestWith(file *catalog.File) (*catalog.Revision, error) {
	repo, err := j.store.repo(j.ctx, file.Repo)
	if err != nil || j.scope.repo != "" && repo.Name != j.scope.repo {
		return nil, err
	}
	revisions, err := j.store.catalog.Revisions(j.ctx, file.Repo)
	if err != nil {
		return nil, err
	}
	for i := range revisions {
		if j.scope.revision != "" && !revisions[i].Named(j.scope.revision) {
			continue
		}
		entries, err := j.store.catalog.Manifest(j.ctx, revisions[i].ID)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(entries, func(e catalog.ManifestEntry) bool { return e.File == file.ID }) {
			return &revisions[i], nil
		}
	}
	return nil, nil
}
