package api

// Comparison says what became of the errors of a repository between two revisions. Errors of tests count as any other.
type Comparison struct {
	Repo      string      `json:"repo"`
	From      string      `json:"from"` // the older revision
	To        string      `json:"to"`
	Added     []Error     `json:"added"`
	Removed   []Error     `json:"removed"`
	Reworded  []Rewording `json:"reworded"`  // taken out of added and removed
	Moved     []Move      `json:"moved"`     // to another file
	Unchanged int         `json:"unchanged"` // moved within their file at most
}

// Rewording is an error that says something else at the same place: the same function raises the same type.
type Rewording struct {
	Before Error `json:"before"`
	After  Error `json:"after"`
}

// Move is an error none of whose sites is in a file where it was before.
type Move struct {
	Error Error  `json:"error"`
	From  string `json:"from"` // the file of its first site before
}
