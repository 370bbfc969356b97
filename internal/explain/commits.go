package explain

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Commit is one of the commits that lead to a revision.
type Commit struct {
	Hash, Subject string
	Time          time.Time
}

// Changes say which commits changed which files: those of Files are indices of Commits, which come the newest first.
type Changes struct {
	Commits []Commit
	Files   map[string][]int
	Whole   bool // there are no earlier commits
}

// Bounds on the history that is looked at.
const (
	maxCommits    = 4000
	changesWithin = 3 * time.Second
	historyRoom   = 16 << 20 // bytes of text that stay in memory
)

// changed says which commits changed which files; nobody knows where there is no history, or where reading it takes too long.
func (p *page) changed() *Changes {
	p.history.Do(func() {
		p.commitsOf = &Changes{}
		if p.sources.Changes == nil || p.rev.Commit == "" {
			return
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(p.ctx), changesWithin)
		defer cancel()
		if c, err := p.sources.Changes(ctx, p.repo, p.rev, maxCommits); err == nil {
			p.commitsOf = c
		}
	})
	return p.commitsOf
}

// past is a file as the commits that changed it left it, the newest first; texts are read when they are asked for.
type past struct {
	path    string
	commits []Commit
	whole   bool
	mu      sync.Mutex        // of texts
	texts   map[string][]byte // by commit; with "^" behind it, by the one before it
	read    func(commits []string) ([][]byte, error)
}

// pastOf is the past of a file.
func (p *page) pastOf(path string) *past {
	key := fmt.Sprint(p.repo.ID, " ", p.rev.Commit, " ", path)
	if h, ok := p.pasts.Get(key); ok {
		return h
	}
	c := p.changed()
	h := &past{path: path, whole: c.Whole, texts: map[string][]byte{}}
	for _, i := range c.Files[path] {
		h.commits = append(h.commits, c.Commits[i])
	}
	repo, ctx := p.repo, context.WithoutCancel(p.ctx)
	h.read = func(commits []string) ([][]byte, error) { return p.sources.TextsAt(ctx, repo, path, commits) }
	p.pasts.Put(key, h, pastSize)
	return h
}

// pastSize is about what a past takes in memory, in bytes.
const pastSize = 512 << 10

// need reads the texts of commits that were not read yet.
func (h *past) need(commits ...string) {
	commits = slices.DeleteFunc(commits, func(c string) bool { _, ok := h.texts[c]; return ok })
	if len(commits) == 0 {
		return
	}
	texts, err := h.read(commits)
	for i, c := range commits {
		h.texts[c] = nil
		if err == nil {
			h.texts[c] = texts[i]
		}
	}
}

// brought is the commit that brought a text into the file as it is now; nil if that is not known, or if the text stands in the file
// several times or not at all: then it is not told whose it is.
func (h *past) brought(text string) *Commit {
	n := len(h.commits)
	if text == "" || n == 0 {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	var first []string
	var steps []int
	for i := 0; i < n; i = 2*i + 1 {
		steps, first = append(steps, i), append(first, h.commits[i].Hash)
	}
	first = append(first, h.commits[n-1].Hash)
	h.need(first...)
	holds := func(i int) bool { return bytes.Contains(h.texts[h.commits[i].Hash], []byte(text)) }
	if bytes.Count(h.texts[h.commits[0].Hash], []byte(text)) != 1 {
		return nil
	}
	low, high := 0, n // low holds it, high does not
	for _, i := range append(steps, n-1) {
		if !holds(i) {
			high = i
			break
		}
		low = i
	}
	for high-low > 1 && high < n {
		middle := (low + high) / 2
		h.need(h.commits[middle].Hash)
		if holds(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	// Commits stand in a line here and may have been made side by side: the one before it decides.
	h.need(h.commits[low].Hash + "^")
	if before := h.texts[h.commits[low].Hash+"^"]; high == n && !h.whole || bytes.Contains(before, []byte(text)) || before == nil && !h.whole {
		return nil
	}
	return &h.commits[low]
}

// commits say which commits brought the text and the condition to what they are: situations, and one solution where such a commit
// names a report.
func (p *page) commits(r *raising) (situations, solutions []api.Sentence) {
	say := func(text string, v *Commit, path string, line int) api.Sentence {
		e := api.Evidence{Kind: "commit", Commit: v.Hash, Text: v.Subject}
		return api.Sentence{Text: text, Origin: api.FromSource, Evidence: []api.Evidence{e, {Kind: "condition", Path: path, Line: line, EndLine: line, URL: p.url(path, line)}}}
	}
	worded := r.found
	wording := p.pastOf(worded.unit.File.Path).brought(p.literal(r))
	if worded.variant.Via != nil {
		wording = p.pastOf(r.path).brought(p.literal(r))
	}
	g := guardOf(r.site)
	var check *Commit
	if g != nil && g.Role != raise.RoleLoop {
		check = p.pastOf(r.path).brought(p.lineOf(r.path, g.Line))
	}
	if wording != nil {
		text := fmt.Sprintf("Commit %s of %s brought this text into the file: %s", wording.Hash[:12], wording.Time.Format(time.DateOnly), quoted(wording.Subject))
		situations = append(situations, say(text, wording, r.path, r.site.Line))
	}
	if check != nil && (wording == nil || check.Hash != wording.Hash) {
		text := fmt.Sprintf("Commit %s of %s made the check in line %d what it is: %s", check.Hash[:12], check.Time.Format(time.DateOnly), g.Line, quoted(check.Subject))
		situations = append(situations, say(text, check, r.path, g.Line))
		if wording != nil && check.Time.After(wording.Time) && reported.MatchString(check.Subject) {
			text := fmt.Sprintf("Compare your version with commit %s, which changed the check: %s", check.Hash[:12], quoted(check.Subject))
			solutions = append(solutions, say(text, check, r.path, g.Line))
		}
	}
	return situations, solutions
}

// reported matches the subject of a commit that says that it mends something that was reported.
var reported = regexp.MustCompile(`(?i:\b(fix|fixes|fixed|close[sd]?|resolve[sd]?)\b.*(#|\bgh-|\bissue[ -]?)\d+)|(?i:\b(bpo|gh)-\d+)|^\[?[A-Z]{3,}-\d+`)

// quoted puts the words of others between quotation marks.
func quoted(text string) string {
	return "“" + strings.Join(strings.Fields(strings.ReplaceAll(text, "`", "'")), " ") + "”"
}

// minLiteral is how many bytes of a message's own text say which message it is.
const minLiteral = 8

// literal is the longest piece of the message's own text that stands on one line of the raise as it is; "" if that says too little.
func (p *page) literal(r *raising) string {
	path, from, to := r.path, r.site.Line, r.site.EndLine
	if r.returned != nil {
		path, from, to = r.found.unit.File.Path, r.found.site.Line, r.found.site.EndLine
	}
	lines := p.sourceOf(path)
	if from < 1 || to > len(lines) {
		return ""
	}
	best := ""
	for _, piece := range r.found.variant.Template.Pieces {
		if piece.Hole != nil {
			continue
		}
		for _, part := range strings.Split(piece.Text, "\n") {
			stands := slices.ContainsFunc(lines[from-1:to], func(line string) bool { return strings.Contains(line, part) })
			if len(part) > max(len(best), minLiteral-1) && stands {
				best = part
			}
		}
	}
	return best
}
