package explain

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Version is a file as a commit left it.
type Version struct {
	Commit, Subject string
	Time            time.Time
	Text            []byte
}

// Bounds on the history of a file that is looked at.
const (
	maxVersions   = 40
	historyWithin = 1500 * time.Millisecond
	historyRoom   = 16 << 20 // bytes of text that stay in memory
)

// history are the commits that changed a file, the newest first.
type history struct {
	versions []Version
	whole    bool // there are no earlier ones
}

// historyOf reads the history of a file once; an empty one where there is none or where reading it takes too long.
func (p *page) historyOf(path string) *history {
	key := fmt.Sprint(p.repo.ID, " ", p.rev.Commit, " ", path)
	if h, ok := p.histories.Get(key); ok {
		return h
	}
	h := &history{}
	if p.versions != nil && p.rev.Commit != "" {
		ctx, cancel := context.WithTimeout(p.ctx, historyWithin)
		defer cancel()
		if versions, whole, err := p.versions(ctx, p.repo, p.rev, path, maxVersions); err == nil {
			h = &history{versions, whole}
		} else if p.ctx.Err() != nil {
			return h
		}
	}
	size := 100
	for i := range h.versions {
		size += len(h.versions[i].Text)
	}
	p.histories.Put(key, h, size)
	return h
}

// since is the commit from which on the file has held a text without a break; nil if that is not known, or if the text stands in the
// file several times or not at all: then it is not told whose it is.
func (h *history) since(text string) *Version {
	if text == "" || len(h.versions) == 0 || bytes.Count(h.versions[0].Text, []byte(text)) != 1 {
		return nil
	}
	last := -1
	for i := range h.versions {
		if !bytes.Contains(h.versions[i].Text, []byte(text)) {
			break
		}
		last = i
	}
	if last < 0 || last == len(h.versions)-1 && !h.whole {
		return nil
	}
	return &h.versions[last]
}

// commits say which commits brought the text and the condition to what they are: situations, and one solution where such a commit
// names a report.
func (p *page) commits(r *raising) (situations, solutions []api.Sentence) {
	say := func(text string, v *Version, path string, line int) api.Sentence {
		e := api.Evidence{Kind: "commit", Commit: v.Commit, Text: v.Subject}
		return api.Sentence{Text: text, Origin: api.FromSource, Evidence: []api.Evidence{e, {Kind: "condition", Path: path, Line: line, EndLine: line, URL: p.url(path, line)}}}
	}
	worded := r.found
	wording := p.historyOf(worded.unit.File.Path).since(p.literal(r))
	if worded.variant.Via != nil {
		wording = p.historyOf(r.path).since(p.literal(r))
	}
	g := guardOf(r.site)
	var check *Version
	if g != nil && g.Role != raise.RoleLoop {
		check = p.historyOf(r.path).since(p.lineOf(r.path, g.Line))
	}
	if wording != nil {
		text := fmt.Sprintf("The text stands in this file since commit %s of %s: %s", wording.Commit[:12], wording.Time.Format(time.DateOnly), quoted(wording.Subject))
		situations = append(situations, say(text, wording, r.path, r.site.Line))
	}
	if check != nil && (wording == nil || check.Commit != wording.Commit) {
		text := fmt.Sprintf("The check in line %d reads as it does since commit %s of %s: %s", g.Line, check.Commit[:12], check.Time.Format(time.DateOnly), quoted(check.Subject))
		situations = append(situations, say(text, check, r.path, g.Line))
		if wording != nil && check.Time.After(wording.Time) && reported.MatchString(check.Subject) {
			text := fmt.Sprintf("Compare your version with commit %s, which changed the check: %s", check.Commit[:12], quoted(check.Subject))
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
