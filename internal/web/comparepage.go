package web

import (
	"io"

	"github.com/wherefore-dev/wherefore/internal/api"
)

// CompareView is what the page that compares two revisions shows.
type CompareView struct {
	Repo       *api.Repo
	Comparison *api.Comparison
}

// compareData is a comparison of which the first errors of each kind are listed.
type compareData struct {
	*CompareView
	Added, Removed []api.Error
	Reworded       []api.Rewording
	Moved          []api.Move
}

// listedChanges is how many errors of a kind the page lists; the rest is in the data.
const listedChanges = 150

// Compare writes the page that compares two revisions of a repository.
func (r *Renderer) Compare(w io.Writer, v *CompareView) error {
	c := v.Comparison
	d := &compareData{CompareView: v, Added: first(c.Added), Removed: first(c.Removed), Reworded: first(c.Reworded), Moved: first(c.Moved)}
	return r.render(w, "compare", &frame{Title: v.Repo.Name + ": " + c.From + " and " + c.To, Description: "What became of the errors of " + v.Repo.Name + " between two revisions.",
		Canonical: r.options.Links.Compare(v.Repo.Name), NoIndex: true, Body: d})
}

func first[T any](all []T) []T { return all[:min(len(all), listedChanges)] }
