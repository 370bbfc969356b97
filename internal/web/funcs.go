package web

import (
	"fmt"
	"html/template"
	"path"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/visible"
)

// funcs are what templates call.
func (r *Renderer) funcs() template.FuncMap {
	l := r.options.Links
	return template.FuncMap{
		"home": l.Home, "asset": l.Asset, "errorURL": l.Error, "repoURL": l.Repo, "coverageURL": l.Coverage, "compareURL": l.Compare,
		"feedURL": l.Feed, "apiURL": l.API, "whole": l.Whole, "static": func() bool { return l.Static },
		"partURL": func(name, key, value string) string { return l.Part(name, Filter{}.Query(key, value)) },
		"pathURL": func(name string, f Filter, path string) string { return l.Part(name, f.Query("path", path)) },
		"base":    func() string { return l.Base },
		"clean":   visible.Text, "lines": visible.Lines, "cut": func(n int, s string) string { return cut(visible.Text(s), n) },
		"place": place, "short": short, "day": day, "safe": safeURL, "file": path.Base,
		"count": func(n int) string { return humanize.Comma(int64(n)) }, "bytes": func(n int64) string { return humanize.IBytes(uint64(n)) },
		"plural": func(n int, one, many string) string {
			if n == 1 {
				return "1 " + one
			}
			return humanize.Comma(int64(n)) + " " + many
		},
		"row": func(i int) int { return 18 * i }, "neg": func(n int) int { return -n }, "share": func(n, of int) int { return max(1, 100*n/max(1, of)) },
		"own":   func(v *api.Repo) int { return v.Sites - v.Reraises },
		"cell":  func(d *repoData, c mapCell) map[string]any { return map[string]any{"Data": d, "Cell": c} },
		"fired": fired, "decisive": decisive, "accepts": accepts,
		"percent": percent, "add": func(a, b int) int { return a + b }, "addf": func(a, b float64) float64 { return round(a + b) },
		"role": api.RoleWord, "sentence": sentencePieces, "braced": bracedPieces, "enters": enters, "calls": calls, "join": strings.Join,
		"group": func(i int, v any) map[string]any { return map[string]any{"Index": i, "Of": v} },
	}
}

func place(path string, line int) string {
	if line == 0 {
		return visible.Text(path)
	}
	return fmt.Sprintf("%s:%d", visible.Text(path), line)
}

func percent(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}

// enters begins a sentence about what enters a call path.
func enters(entry string) string {
	switch entry {
	case "exported":
		return "The exported"
	case "main":
		return "The program's"
	}
	return "The " + visible.Text(entry)
}

// calls says how long a call path is.
func calls(hops []api.Hop) string {
	switch n := len(hops) - 1; {
	case n <= 0:
		return "itself"
	case n == 1:
		return "through one call"
	default:
		return fmt.Sprintf("through %d calls", n)
	}
}

func splitPath(p string) []string {
	if p = strings.Trim(p, "/"); p == "" {
		return nil
	}
	return strings.Split(p, "/")
}
