// Package api is the one wire form of every answer. Terminal, JSON, web page and MCP print what stands here and nothing else.
package api

// Answer is what find says about one report.
type Answer struct {
	ID           any           `json:"id,omitempty"` // the caller's, of a batch
	Observations []Observation `json:"observations"`
	// Error says why a report of a batch could not be read; the other fields are then empty.
	Error string `json:"error,omitempty"`
	// Cut says that the report was longer than what is looked at, and how much was left out.
	Cut string `json:"cut,omitempty"`
}

// The decisions on an observation.
const (
	Found   = "found"   // the first candidate is the site, with a probability of at least 0.9
	Tie     = "tie"     // one of the candidates is the site; Why says what would tell them apart
	Refused = "refused" // no site of the catalogue prints this
)

// Observation is one error of a report, with what was found.
type Observation struct {
	Type       string      `json:"type"`
	Message    string      `json:"message"`
	Span       [2]int      `json:"span"` // bytes of the report
	Decision   string      `json:"decision"`
	Why        string      `json:"why"`
	Candidates []Candidate `json:"candidates"`
	// Nearest is the template that comes nearest to a refused message.
	Nearest *Nearest `json:"nearest,omitempty"`
	// Fault says that the language itself raised a refused error, and no statement of the code.
	Fault *Fault `json:"fault,omitempty"`
	// Link says how this observation is tied to the one before it in a chain: "cause", "wrapped", "context", …
	Link string `json:"link,omitempty"`
	// Passed says that the link adds no text of its own.
	Passed bool `json:"passed,omitempty"`
}

// Fault is an error that a language raises without a statement that says so.
type Fault struct {
	Language string `json:"language"`
	Says     string `json:"says"` // what happened, names of code between backquotes
	// Expressions are those of the raising line that can have done it; one of them did.
	Expressions []string `json:"expressions,omitempty"`
	// Where it was raised, as far as the report's frames say it; Repo and Revision are empty where no indexed file is meant.
	Repo     string `json:"repo,omitempty"`
	Revision string `json:"revision,omitempty"`
	Path     string `json:"path,omitempty"`
	Line     int    `json:"line,omitempty"`
	Function string `json:"function,omitempty"`
	URL      string `json:"url,omitempty"`
}

// Candidate is a site that can have printed the message.
type Candidate struct {
	Error       string     `json:"error"` // the id of its page
	Repo        string     `json:"repo"`
	Revision    string     `json:"revision"`
	Path        string     `json:"path"`
	Line        int        `json:"line"` // of the whole raising statement, 1-based
	EndLine     int        `json:"end_line"`
	Function    string     `json:"function"`
	Type        string     `json:"type"`
	Kind        string     `json:"kind"`
	Template    string     `json:"template"`
	Probability float64    `json:"probability"`
	Bindings    []Binding  `json:"bindings"`
	Condition   *Condition `json:"condition,omitempty"`
	Revisions   []string   `json:"revisions"`
	// Via is where a helper that raises was called with this text.
	Via *Place `json:"via,omitempty"`
	// Returned are the places that return or raise the error that the site declares.
	Returned []Place `json:"returned,omitempty"`
	// FileKind is product, test, example, generated, vendored or minified.
	FileKind string `json:"file_kind,omitempty"`
	URL      string `json:"url,omitempty"` // of the line on the host, if it has one
	// Weighed is what the probability of the first candidate was made from, for fitting the model; it is not printed.
	Weighed []float64 `json:"-"`
}

// Where are lines of a file at a revision.
type Where struct {
	Repo, Revision, Path string
	Line, EndLine        int
}

// Where is the statement of the candidate.
func (c *Candidate) Where() Where { return Where{c.Repo, c.Revision, c.Path, c.Line, c.EndLine} }

// Where is the raising line; its Repo is empty where no indexed file is meant.
func (f *Fault) Where() Where { return Where{f.Repo, f.Revision, f.Path, f.Line, f.Line} }

// Where is the place that an observation leads to: that of the first candidate, or of the language's fault; ok is false if there is none.
func (o *Observation) Where() (at Where, ok bool) {
	switch {
	case o.Decision != Refused && len(o.Candidates) > 0:
		return o.Candidates[0].Where(), true
	case o.Fault != nil && o.Fault.Repo != "":
		return o.Fault.Where(), true
	}
	return Where{}, false
}

// Place is a line range.
type Place struct {
	Path     string `json:"path"`
	Line     int    `json:"line"`
	EndLine  int    `json:"end_line"`
	Function string `json:"function,omitempty"`
}

// Binding is the value that a hole of the message had.
type Binding struct {
	Expression string `json:"expression"`
	Value      string `json:"value"`
	Span       [2]int `json:"span"` // bytes of the message
}

// Condition is what had to hold for the site to raise, judged with the values of the message.
type Condition struct {
	Text    string `json:"text"`
	Verdict string `json:"verdict"` // true, false or unknown
	// Path is the file whose lines are meant where it is not the site's: a helper raises, and its caller's condition decides.
	Path  string `json:"path,omitempty"`
	Parts []Part `json:"parts"`
	// Steps are the definitions that were put in, with their arithmetic: "window = 15 - 6 = 9".
	Steps  []string `json:"steps,omitempty"`
	Solved []Solved `json:"solved,omitempty"`
	// Others are the conditions of other revisions that can have printed the message, where they are not the same.
	Others []OtherCondition `json:"others,omitempty"`
}

// OtherCondition is the condition of the same site in other revisions.
type OtherCondition struct {
	Revisions []string `json:"revisions"` // newest first
	Line      int      `json:"line"`      // of the raise there
	Text      string   `json:"text"`
	Verdict   string   `json:"verdict"`
}

// Part is one part of a condition.
type Part struct {
	Text    string `json:"text"`
	Verdict string `json:"verdict"`
	Shown   string `json:"shown,omitempty"` // with the values put in: "9 > 8"
	Line    int    `json:"line,omitempty"`
	Role    string `json:"role,omitempty"`
	// Either says that the part is one of several of which one is enough.
	Either bool `json:"either,omitempty"`
}

// Solved is what a condition accepts of a quantity that the caller controls.
type Solved struct {
	Quantity string `json:"quantity"`
	Accepted string `json:"accepted"`        // in the code's words
	Range    string `json:"range,omitempty"` // with the values put in: "6 to 14"
	Shown    string `json:"shown,omitempty"` // how the value compares: "15 is one too many"
	// Leaves, for an earlier branch that ends the function without the error, says how; Accepted then takes that branch.
	Leaves string `json:"leaves,omitempty"`
	Line   int    `json:"line,omitempty"`
}

// Nearest is the template nearest to a message that no site prints.
type Nearest struct {
	Error    string `json:"error"`
	Repo     string `json:"repo"`
	Template string `json:"template"`
	Differs  string `json:"differs"` // the words that differ
}

// Error is an error with its sites, as list prints it.
type Error struct {
	ID       string `json:"id"`
	Repo     string `json:"repo"`
	Revision string `json:"revision"`
	Language string `json:"language"`
	Type     string `json:"type"`
	Kind     string `json:"kind"`
	Template string `json:"template"`
	Sites    []Site `json:"sites"`
}

// Site is a site of an error.
type Site struct {
	Path     string  `json:"path"`
	Line     int     `json:"line"`
	EndLine  int     `json:"end_line"`
	Function string  `json:"function"`
	Type     string  `json:"type"`
	Template string  `json:"template"`
	Kind     string  `json:"kind"`
	FileKind string  `json:"file_kind"`
	Unknown  string  `json:"unknown,omitempty"` // why the template is not fully known
	Via      *Place  `json:"via,omitempty"`
	Returned []Place `json:"returned,omitempty"`
	URL      string  `json:"url,omitempty"`
}
