package api

import "time"

// Page is all that is known of an error.
type Page struct {
	ID       string     `json:"id"`
	Repo     string     `json:"repo"`
	Revision string     `json:"revision"` // the newest indexed one that raises it
	Language string     `json:"language"`
	Kind     string     `json:"kind"`
	Type     string     `json:"type"`
	Template string     `json:"template"`
	Holes    []Hole     `json:"holes"`
	Unknown  string     `json:"unknown,omitempty"` // why the template is not fully known
	Sites    []PageSite `json:"sites"`
	// Summary is the one line that matters first.
	Summary string `json:"summary,omitempty"`
	// Meaning says who raises it, in doing what, and what the code concludes from the condition.
	Meaning []Sentence `json:"meaning,omitempty"`
	// Triggers are the shortest call paths from where the repository is entered to the raise, the entry first.
	Triggers []Trigger `json:"triggers,omitempty"`
	// Situations are when it happens: what comments, commits and documentation say, each quoted.
	Situations []Sentence `json:"situations,omitempty"`
	// Tests provoke it: the example that fails.
	Tests []Test `json:"tests,omitempty"`
	// Configuration are the settings that a quantity of the condition comes from.
	Configuration []Setting `json:"configuration,omitempty"`
	// Solutions, most likely first.
	Solutions []Sentence `json:"solutions,omitempty"`
	// Check is code to put before the call, Handler code that takes the error up; both parse in the page's language.
	Check   *Code     `json:"check,omitempty"`
	Handler *Code     `json:"handler,omitempty"`
	Related []Related `json:"related,omitempty"`
	// Changes are the error, its wording and its condition over the indexed revisions, newest first.
	Changes []Change `json:"changes,omitempty"`
	// Revisions are the indexed revisions that raise it, newest first.
	Revisions  []string   `json:"revisions"`
	Provenance Provenance `json:"provenance"`
	// Gone says that no indexed revision raises it any more; the page is the last known one.
	Gone bool `json:"gone,omitempty"`
}

// Hole is a value of a message.
type Hole struct {
	Expression string `json:"expression"`
	Format     string `json:"format,omitempty"`
	Looks      string `json:"looks,omitempty"` // like what its value looks: int, quoted, …
}

// PageSite is a site with what surrounds it.
type PageSite struct {
	Site
	Doc       string       `json:"doc,omitempty"` // first paragraph of the function's documentation
	Comment   string       `json:"comment,omitempty"`
	Excerpt   *Excerpt     `json:"excerpt,omitempty"`
	Condition *Condition   `json:"condition,omitempty"`
	Defs      []Definition `json:"definitions,omitempty"`
	Callers   []Caller     `json:"callers,omitempty"`
}

// Excerpt is a part of a source file at the page's revision.
type Excerpt struct {
	First int      `json:"first"` // number of the first line, 1-based
	Lines []string `json:"lines"`
	From  int      `json:"from"` // first and last line of the raising statement
	To    int      `json:"to"`
	// Language is that of the file, for colours.
	Language string `json:"-"`
}

// Definition is what a name of the condition or the message was computed from.
type Definition struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	// Component says which of the several values that Value gives it is, counted from 1; 0 for all of it.
	Component int `json:"component,omitempty"`
	Line      int `json:"line"`
}

// Caller is a call of the function that raises.
type Caller struct {
	Path     string `json:"path"`
	Line     int    `json:"line"`
	Function string `json:"function"`
	// How is "" for a call that names the function, or says how sure the resolution is.
	How string `json:"how,omitempty"`
}

// The origins of what a page says.
const (
	FromSource = "source"   // derived from what the repository holds
	Assisted   = "assisted" // a model wrote it, and it was checked against the evidence
	Reviewed   = "reviewed" // a person wrote or approved it
)

// Sentence is a statement of a page, with what it rests on. Text is plain, with names of the code between backquotes.
type Sentence struct {
	Text     string     `json:"text"`
	Origin   string     `json:"origin"`
	Evidence []Evidence `json:"evidence"`
	// Stale says that the evidence of an assisted or reviewed sentence has changed since.
	Stale bool `json:"stale,omitempty"`
}

// Evidence is a place that a statement rests on.
type Evidence struct {
	Kind    string `json:"kind"` // condition, definition, comment, doc, call, test, commit, document, setting, handler, note
	Path    string `json:"path,omitempty"`
	Line    int    `json:"line,omitempty"`
	EndLine int    `json:"end_line,omitempty"`
	Commit  string `json:"commit,omitempty"` // of the page's revision, or the commit that is the evidence
	Text    string `json:"text,omitempty"`   // quoted from there
	URL     string `json:"url,omitempty"`
}

// Trigger is a call path: the first hop is an entry point, the last the function that raises.
type Trigger struct {
	Entry string `json:"entry"` // what enters: "exported", "command", "route", "main", "task"
	Name  string `json:"name"`  // of the entry as its users spell it: "serve --port", "GET /api/x", "Client.Do"
	Hops  []Hop  `json:"hops"`
}

// Hop is one function of a call path. Line is of the call that leads on to the next hop; of the raise in the last one.
type Hop struct {
	Path     string `json:"path"`
	Line     int    `json:"line"`
	Function string `json:"function"`
	How      string `json:"how,omitempty"` // how sure the resolution of the call is; "" for one that names the function
	URL      string `json:"url,omitempty"`
}

// Test is a test that expects the error.
type Test struct {
	Path    string   `json:"path"`
	Line    int      `json:"line"`
	Name    string   `json:"name"`
	Expects string   `json:"expects"` // the text or the type that it expects
	Excerpt *Excerpt `json:"excerpt,omitempty"`
	URL     string   `json:"url,omitempty"`
}

// Setting is where the caller of a program sets a quantity.
type Setting struct {
	Quantity string     `json:"quantity"`          // of the condition
	Kind     string     `json:"kind"`              // flag, environment, setting or constant
	Name     string     `json:"name"`              // "--page-size", "PAGE_SIZE"
	Default  string     `json:"default,omitempty"` // in the code's words
	Accepted string     `json:"accepted,omitempty"`
	Through  []Evidence `json:"through"` // from the condition back to the setting
}

// Code is a piece of code in the page's language.
type Code struct {
	Language string `json:"language"`
	Text     string `json:"text"`
	Origin   string `json:"origin"`
}

// Related is another error with the reason that it is listed.
type Related struct {
	Error    string `json:"error"`
	Type     string `json:"type"`
	Template string `json:"template"`
	Reason   string `json:"reason"`
	Path     string `json:"path"`
	Line     int    `json:"line"`
}

// Change is what a revision did to the error.
type Change struct {
	Revision string `json:"revision"`
	What     string `json:"what"` // added, reworded, condition, moved, removed, unchanged
	Detail   string `json:"detail,omitempty"`
}

// Provenance says what the page was made from.
type Provenance struct {
	Commit  string    `json:"commit,omitempty"`
	Dirty   bool      `json:"dirty,omitempty"`
	Indexed time.Time `json:"indexed"`
	Origin  string    `json:"origin"` // source, assisted or reviewed
}

// Coverage says how much of a repository was understood.
type Coverage struct {
	Repo      string             `json:"repo"`
	Revision  string             `json:"revision"`
	Indexed   time.Time          `json:"indexed"`
	Files     int                `json:"files"` // of a language that is read
	Bytes     int64              `json:"bytes"`
	Skipped   []Count            `json:"skipped"`  // files not read, by reason
	Problems  []Count            `json:"problems"` // within files, by reason
	Dropped   []Count            `json:"dropped"`  // what looked like a site and was none, by reason
	Languages []LanguageCoverage `json:"languages"`
	SelfTest  *SelfTest          `json:"self_test,omitempty"`
}

// LanguageCoverage counts the sites of a language.
type LanguageCoverage struct {
	Language  string  `json:"language"`
	Files     int     `json:"files"`
	Bytes     int64   `json:"bytes"`
	Functions int     `json:"functions"`
	Sites     int     `json:"sites"`
	Reraises  int     `json:"reraises"`      // of the sites; they have no message of their own
	Silent    int     `json:"without_text"`  // of the sites; they raise without a text, such as an assertion that gives none
	Templates int     `json:"with_template"` // sites whose text is fully known
	Condition int     `json:"with_condition"`
	Unknown   []Count `json:"unknown"` // sites without a full template, by reason
	Kinds     []Count `json:"kinds"`
}

// Count is a number with its reason and a few examples ("path:line").
type Count struct {
	Reason   string   `json:"reason"`
	Count    int      `json:"count"`
	Examples []string `json:"examples,omitempty"`
}

// SelfTest says what became of a message printed from each template and looked up again.
type SelfTest struct {
	Templates int      `json:"templates"`
	Found     int      `json:"found"`    // its own error first
	Tied      int      `json:"tied"`     // in a declared tie that holds it
	Unlikely  int      `json:"unlikely"` // refused, since its text says too little
	Wrong     int      `json:"wrong"`    // another error found
	Examples  []string `json:"examples,omitempty"`
}
