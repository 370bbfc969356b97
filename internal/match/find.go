package match

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/paste"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Finder answers reports from one state of a catalog. It is for one goroutine; make one for each.
type Finder struct {
	search *Searcher
	store  *store
	reader *paste.Reader
	langs  map[string]*lang.Language
	hits   []Hit
}

// NewFinder returns a finder over a catalog and the index that belongs to its state. traces are the forms of reports that it reads.
func NewFinder(c *catalog.Catalog, x *Index, languages []*lang.Language, traces []lang.Trace) *Finder {
	f := &Finder{search: NewSearcher(x), store: newStore(c), reader: paste.NewReader(traces), langs: map[string]*lang.Language{}}
	for _, l := range languages {
		f.langs[l.Name] = l
	}
	return f
}

// Options limit an answer.
type Options struct {
	Repo, Revision string // "" for any
	// Limit is the most candidates of an observation; 0 for 10.
	Limit int
}

// maxObservations bounds the observations of one answer.
const maxObservations = 200

// Find answers a report.
func (f *Finder) Find(ctx context.Context, text string, o Options) (*api.Answer, error) {
	report := f.reader.Read(text)
	answer := &api.Answer{Observations: []api.Observation{}, Cut: report.Cut}
	j := &job{Finder: f, ctx: ctx, options: o, scope: scope{o.Repo, o.Revision}, long: long(report.Plain)}
	if j.options.Limit <= 0 {
		j.options.Limit = 10
	}
	var groups [][]api.Observation // each an error with its causes
	total := 0
	add := func(found []api.Observation, start bool) {
		if start && len(found) > 0 {
			groups = append(groups, nil)
		}
		if n := len(groups); n > 0 {
			groups[n-1] = append(groups[n-1], found...)
		}
		total += len(found)
	}
	for i := 0; i < len(report.Traces) && total < maxObservations; i++ {
		found, err := j.trace(&report.Traces[i])
		if err != nil {
			return nil, err
		}
		add(unprinted(found, report.Traces), report.Traces[i].Of < 0)
	}
	message, err := j.readings(report.Message)
	if err != nil {
		return nil, err
	}
	if len(message) > 0 && message[0].certain() {
		add(strip(message), true)
		report.Plain = nil
	}
	for i := 0; i < len(report.Plain) && total < maxObservations; i++ {
		found, err := j.plain(&report.Plain[i], len(report.Traces) == 0 && len(report.Plain) == 1)
		if err != nil {
			return nil, err
		}
		add(found, true)
	}
	if total == 0 {
		add(strip(message), true)
	}
	if total >= maxObservations {
		answer.Cut = fmt.Sprintf("the report holds %d errors or more; the first are answered", maxObservations)
	}
	answer.Observations = append(answer.Observations, inOrder(groups, text)...)
	return answer, nil
}

// job is the work on one report.
type job struct {
	*Finder
	ctx     context.Context
	options Options
	scope   scope
	depth   int  // of messages within messages
	long    bool // only a part of the plain text is looked at closely
}

// result is an observation with the options that were weighed.
type result struct {
	api.Observation
	options []option
}

// certain reports whether the result leads to a site.
func (r *result) certain() bool { return r.Decision == api.Found || r.Decision == api.Tie }

// trace answers an error that a trace form recognised.
func (j *job) trace(o *raise.Observation) ([]api.Observation, error) {
	e := &evidence{typ: o.Type, frames: o.Frames}
	how := loosely(o.Message)
	if o.Cut {
		how |= message.Cut | message.Redacted
	}
	results, err := j.message(o.Message, e, how)
	if err != nil {
		return nil, err
	}
	if !results[0].certain() {
		if results, err = j.lines(o.Message, e, how, results); err != nil {
			return nil, err
		}
	}
	out := make([]api.Observation, len(results))
	for i := range results {
		out[i] = results[i].Observation
		out[i].Span = [2]int{o.Span.Start, o.Span.End}
		if i == 0 {
			out[i].Type, out[i].Link = o.Type, o.Link
		}
	}
	return out, j.fault(&out[0], o.Frames)
}

// plain answers a stretch of text without a form: as one message, or line by line.
func (j *job) plain(p *paste.Plain, alone bool) ([]api.Observation, error) {
	worth := j.worth(p.Lines)
	if len(worth) == 0 && !alone {
		return nil, nil
	}
	whole, err := j.readings(p.Whole)
	if err != nil {
		return nil, err
	}
	if len(p.Lines) == 1 && (alone || len(whole) > 0 && whole[0].certain()) || len(whole) > 0 && whole[0].certain() {
		return strip(whole), nil
	}
	if len(p.Lines) == 1 {
		return strip(whole[min(1, len(whole)):]), nil
	}
	var out []api.Observation
	for _, line := range worth {
		found, err := j.readings(line)
		if err != nil {
			return nil, err
		}
		if len(found) > 0 && found[0].certain() && len(out) < maxObservations {
			out = append(out, strip(found)...)
		}
	}
	if len(out) == 0 && alone {
		out = strip(whole)
	}
	return out, nil
}

func strip(results []result) []api.Observation {
	out := make([]api.Observation, len(results))
	for i := range results {
		out[i] = results[i].Observation
	}
	return out
}

// readings tries the readings of a text and returns the best answer: the first that is certain, otherwise the refusal of the
// reading that a person would take for the message.
func (j *job) readings(all []paste.Reading) ([]result, error) {
	var refused, best []result
	var frames []raise.Frame // of the refused reading
	for i := range all {
		r := &all[i]
		e := &evidence{typ: r.Type, weak: true, frames: r.Frames}
		results, err := j.message(r.Message, e, loosely(r.Message))
		if err != nil {
			return nil, err
		}
		for k := range results {
			results[k].Span = [2]int{r.Start, r.End}
		}
		results[0].Type = r.Type
		switch {
		case !results[0].certain():
			if refused == nil || len(refused) == 1 && (len(results) > 1 || refused[0].Nearest == nil && results[0].Nearest != nil) {
				refused, frames = results, r.Frames
			}
		case best == nil || better(&results[0], &best[0]):
			best = results
		}
	}
	if best != nil || len(refused) == 0 {
		return best, nil
	}
	return refused, j.fault(&refused[0].Observation, frames)
}

// better reports whether one reading of a text explains it better than another: by how much of it is text of the sites, then by what
// that says.
func better(a, b *result) bool {
	x, y := &a.options[0], &b.options[0]
	if x.hit.Match.Weight != y.hit.Match.Weight {
		return x.hit.Match.Weight > y.hit.Match.Weight
	}
	return x.bits > y.bits
}

// message answers one message, and the chain of messages that it holds, outermost first. There is always a first result.
func (j *job) message(text string, e *evidence, how message.How) ([]result, error) {
	e.length = weight(text)
	first, err := j.one(text, e, how)
	if err != nil {
		return nil, err
	}
	if first.certain() {
		return j.chain(first, how)
	}
	return j.behindPrefix(text, e, how, first)
}

// one answers a text as the message of one site.
func (j *job) one(text string, e *evidence, how message.How) (result, error) {
	r := result{Observation: api.Observation{Message: text, Candidates: []api.Candidate{}}}
	j.hits = j.search.Search(j.hits[:0], text, how)
	options, err := j.expand(j.hits)
	if err != nil {
		return r, err
	}
	located, err := j.byFrames(text, e, how, options)
	if err != nil {
		return r, err
	}
	r.options = rank(append(options, located...), e)
	if len(r.options) > 0 && r.options[0].prob < Certain && j.depth < maxLinks {
		if err := j.compose(r.options, how); err != nil {
			return r, err
		}
		r.options = rank(r.options, e)
	}
	return r, j.decide(&r, e)
}

// elsewhere is what an error that is raised in another file weighs for the one that wraps it, of what one in the same file does.
const elsewhere = 0.4

// minOuter is how many letters and digits of its own a site needs to be known by an error of another file that it wraps.
const minOuter = 10

// maxComposed is how many options have the errors that they wrap looked up.
const maxComposed = 6

// compose gives an option whose message ends with, or begins with, another error's text the weight of that text: "arg 1: value has
// type int" is known by the site that prints "value has type {}" inside "arg {}: {err}".
func (j *job) compose(options []option, how message.How) error {
	j.depth++
	defer func() { j.depth-- }()
	seen, inside := map[string]float64{}, map[string]string{}
	for i := range options {
		o := &options[i]
		if i >= maxComposed || o.composed {
			break
		}
		o.composed = true
		for _, b := range o.hit.Match.Bindings {
			h := o.variant.Template.Holes()[b.Hole]
			if !holdsError(h) || weight(b.Value) < 4 {
				continue
			}
			bits, known := seen[b.Value]
			if !known {
				saved := append([]Hit(nil), j.hits...)
				inner, err := j.one(b.Value, &evidence{length: weight(b.Value)}, how)
				if err != nil {
					return err
				}
				j.hits = saved
				if inner.certain() && inner.options[0].unit.File.Language == o.unit.File.Language {
					bits = inner.options[0].hit.Bits
					inside[b.Value] = inner.options[0].unit.File.Path
				}
				seen[b.Value] = bits
			}
			if inside[b.Value] != o.unit.File.Path {
				bits *= elsewhere
				if o.variant.Template.Weight() < minOuter {
					bits = 0 // "invalid {key}: {err}" can be anybody's
				}
			}
			if bits > 0 {
				o.hit.Bits += min(bits, maxBits)
				o.hit.Match.Weight += weight(b.Value)
				o.wrapped = append(o.wrapped, b.Hole)
			}
		}
	}
	return nil
}

// holdsError reports whether a hole can hold the text of another error, by its kind or by what its expression is called.
func holdsError(h *message.Hole) bool {
	if h.Kind == message.Error {
		return true
	}
	if h.Kind != message.Any {
		return false
	}
	name := strings.ToLower(lastPart(h.Text))
	for _, n := range []string{"e", "exc", "err", "error", "ex", "cause", "reason", "why", "msg", "message", "detail", "inst", "exception"} {
		if name == n {
			return true
		}
	}
	return strings.HasSuffix(name, "err") || strings.HasSuffix(name, "error")
}

// maxHits bounds the fitting templates whose sites are read from the catalog: those that say most.
const maxHits = 12

// expand turns hits into sites. Hits that say far less than the best are left out.
func (j *job) expand(hits []Hit) ([]option, error) {
	var out []option
	best := 0.0
	for _, h := range hits {
		if !h.Strained {
			best = max(best, h.Bits)
		}
	}
	for i, h := range hits {
		if i >= maxHits || h.Bits < best-40 {
			break
		}
		for _, ref := range j.search.index.Errors(h.Template) {
			if j.options.Repo != "" && ref.Repo != j.options.Repo {
				continue
			}
			places, err := j.store.places(j.ctx, ref.ID, j.scope)
			if err != nil {
				return nil, err
			}
			for _, p := range places {
				if len(p.site.Translations) > 0 {
					if err := p.translate(j.search.index, h.Template); err != nil {
						return nil, err
					}
				}
				out = append(out, option{place: p, hit: h})
			}
		}
	}
	return out, nil
}

// byFrames lists the sites on the lines that the frames name, beyond those that are options already: sites whose text is all holes,
// or made elsewhere.
func (j *job) byFrames(text string, e *evidence, how message.How, options []option) ([]option, error) {
	var out []option
	for i, f := range e.frames {
		if i >= 3 || len(out) > 0 {
			break
		}
		places, err := j.store.onLine(j.ctx, f, j.scope)
		if err != nil {
			return nil, err
		}
		for _, p := range places {
			if tail(f.Path, p.unit.File.Path) < 2 && strings.Contains(slashed(f.Path), "/") && strings.Contains(p.unit.File.Path, "/") {
				continue
			}
			if slices.ContainsFunc(options, func(o option) bool { return o.unit.ID == p.unit.ID && o.site.Site == p.site.Site }) {
				continue
			}
			m, ok := p.matchIn(text, how)
			known := p.variant.Unknown == "" && p.site.Kind != raise.KindReraise
			if !ok && known && !j.raisedHere(&p, f, i, e, options) {
				// The line says that this site raised, the text that it was another: the text of a type's own making, perhaps.
				continue
			}
			if !ok && e.typ != "" && e.fits(p.variant.Type) < 0 {
				continue
			}
			o := option{place: p, hit: Hit{Template: -1, Match: m}}
			o.pinned = !ok && j.raisedHere(&p, f, i, e, options)
			out = append(out, o)
		}
	}
	return out, nil
}

// raisedHere reports whether the frames alone say that a place raised, though its template, as far as it is known, does not print
// the text: the innermost frame names its line and its function, and no other site of that function prints the text, which would be
// one that has moved since.
func (j *job) raisedHere(p *place, f raise.Frame, depth int, e *evidence, options []option) bool {
	if depth > 0 || e.weak || f.Function == "" || lastPart(f.Function) != lastPart(p.site.Function) || e.fits(p.variant.Type) < 0 {
		return false
	}
	return !slices.ContainsFunc(options, func(o option) bool {
		return o.unit.File.Path == p.unit.File.Path && o.site.Function == p.site.Function
	})
}

// weight counts letters and digits.
func weight(s string) int { return message.Literal(s).Weight() }

// nearlyEqual is how many times less probable than the first a site may be that is named in a tie.
const nearlyEqual = 8

// decide turns ranked options into a decision with its reason, and candidates of the wire form.
func (j *job) decide(r *result, e *evidence) error {
	options := merged(r.options)
	r.options = options
	if len(options) == 0 {
		r.Decision = api.Refused
		j.nearest(r)
		return nil
	}
	top := &options[0]
	equals := 1
	sum := top.prob
	for i := 1; i < len(options) && (options[i].prob > top.prob/2 || sum < Certain && options[i].prob > top.prob/nearlyEqual); i++ {
		equals++
		sum += options[i].prob
	}
	switch {
	case top.prob >= Certain:
		r.Decision = api.Found
	case equals > 1 && sum >= Certain:
		r.Decision = api.Tie
		r.Why = difference(options[:equals])
	default:
		r.Decision = api.Refused
		r.Why = fmt.Sprintf("The text says too little to be sure (%d %% at best): %s fits, but little of the message is its own text.",
			int(100*top.prob), quoted(top.variant.Template.Display()))
	}
	for i := range options {
		if i >= j.options.Limit && i >= equals || i >= 100 {
			break
		}
		if i < maxJudged {
			if err := j.version(&options[i]); err != nil {
				return err
			}
		}
		c := j.candidate(&options[i])
		if i < maxJudged {
			if err := j.judge(&options[i], &c); err != nil {
				return err
			}
		}
		r.Candidates = append(r.Candidates, c)
	}
	return nil
}

// merged keeps one option for each statement: of those that differ in the revision alone, the one that fits best, then the newest.
func merged(options []option) []option {
	type key struct {
		repo, path, function, id string
		nth                      int
	}
	index := map[key]int{}
	var out []option
	for i := range options {
		o := &options[i]
		if at := slices.IndexFunc(out, func(x option) bool {
			return x.unit.ID == o.unit.ID && x.site.Line == o.site.Line && x.site.EndLine == o.site.EndLine
		}); at >= 0 {
			out[at].prob += o.prob // another message, or another error, of the same statement
			continue
		}
		k := key{o.repo.Name, o.unit.File.Path, o.site.Function, o.variant.ID, 0}
		// Several sites of one function in one revision are different sites.
		for {
			at, taken := index[k]
			if !taken {
				index[k] = len(out)
				out = append(out, *o)
				break
			}
			if out[at].unit.ID != o.unit.ID {
				if out[at].located == o.located {
					out[at].prob += o.prob
					out[at].others = append(out[at].others, o.place)
				}
				break
			}
			k.nth++
		}
	}
	slices.SortStableFunc(out, func(a, b option) int {
		switch {
		case a.prob > b.prob:
			return -1
		case a.prob < b.prob:
			return 1
		}
		return 0
	})
	return out
}

func union(a, b []catalog.Revision) []catalog.Revision {
	out := slices.Clone(a)
	for _, r := range b {
		if !slices.ContainsFunc(out, func(x catalog.Revision) bool { return x.ID == r.ID }) {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b catalog.Revision) int { return newer(&a, &b) })
	return out
}

// difference says what would tell equal sites apart.
func difference(options []option) string {
	functions, paths, types, repos := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i := range options {
		o := &options[i]
		functions[o.site.Function], paths[o.unit.File.Path] = true, true
		types[o.variant.Type], repos[o.repo.Name] = true, true
	}
	n := len(options)
	what := "the line number decides"
	switch {
	case len(types) == n:
		what = "the type of the error decides"
	case len(functions) == n:
		what = "the function name decides"
	case len(paths) == n:
		what = "the file name decides"
	case len(repos) == n:
		what = "the repository decides"
	}
	return fmt.Sprintf("%d sites print this text; %s.", n, what)
}

func quoted(s string) string {
	if r := []rune(s); len(r) > 80 {
		s = string(r[:79]) + "…"
	}
	return "“" + s + "”"
}

// candidate is an option in the wire form.
func (j *job) candidate(o *option) api.Candidate {
	rev := &o.revisions[0]
	c := api.Candidate{Weighed: o.weighed[:], Error: o.variant.ID, Repo: o.repo.Name, Revision: rev.Label, Path: o.unit.File.Path,
		Line: o.site.Line, EndLine: o.site.EndLine, Function: o.site.Function, Type: o.variant.Type, Kind: string(o.site.Kind),
		Template: o.variant.Template.Display(), Probability: round(o.prob), Bindings: []api.Binding{}, FileKind: o.unit.File.Kind}
	holes := o.variant.Template.Holes()
	for _, b := range o.hit.Match.Bindings {
		if b.Hole < len(holes) {
			c.Bindings = append(c.Bindings, api.Binding{Expression: holes[b.Hole].Text, Value: b.Value, Span: [2]int{b.Start, b.End}})
		}
	}
	revisions := o.revisions
	for i := range o.others {
		revisions = union(revisions, o.others[i].revisions)
	}
	c.Revisions = titles(revisions)
	if v := o.variant.Via; v != nil {
		c.Via = &api.Place{Path: v.Path, Line: v.Line, EndLine: v.EndLine, Function: v.Function}
	}
	for _, v := range o.site.Returned {
		c.Returned = append(c.Returned, api.Place{Path: v.Path, Line: v.Line, EndLine: v.EndLine, Function: v.Function})
	}
	return c
}

func titles(revisions []catalog.Revision) []string {
	var out []string
	for i := range revisions {
		out = append(out, revisions[i].Title())
	}
	return out
}

func round(p float64) float64 { return float64(int(p*10000+0.5)) / 10000 }
