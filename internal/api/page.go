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
}

// Definition is what a name of the condition or the message was computed from.
type Definition struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Line  int    `json:"line"`
}

// Caller is a call of the function that raises.
type Caller struct {
	Path     string `json:"path"`
	Line     int    `json:"line"`
	Function string `json:"function"`
	// How is "" for a call that names the function, or says how sure the resolution is.
	How string `json:"how,omitempty"`
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
	Templates int     `json:"with_template"` // sites with some literal text
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
