package raise

// Span is a part of a pasted text: byte offsets, End exclusive.
type Span struct{ Start, End int }

// Observation is one error seen in a pasted report: what was printed, and where.
type Observation struct {
	Type    string // as printed, qualified or not; empty if none was
	Message string // the text, joined and cleaned of what the medium added
	Code    string // a code printed beside it ("ENOENT", "E0308"), empty if none
	Span    Span   // of type and message in the report
	// Whole is all that belongs to the error in the report, its frames included; zero where it is no more than Span.
	Whole Span
	// Frames are the calls, the raising one first.
	Frames []Frame
	// Of is the index of the observation that this one is the cause of, or -1: the report's outermost error.
	Of int
	// Link says how it is tied to Of: "cause", "context", "suppressed", "member", "wrapped"; empty if Of is -1.
	Link string
	// Form is the name of the trace form that recognised it.
	Form string
	// Language is set where the form belongs to one.
	Language string
	// Cut says that the message was truncated or redacted in the report.
	Cut bool
}

// Frame is one call of a stack trace.
type Frame struct {
	Path     string // as printed
	Line     int    // 1-based, 0 if not printed
	Function string // as printed, without arguments
	Source   string // the source line that the trace shows, trimmed; empty if none
}
