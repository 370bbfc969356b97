package web

import "io"

// APIView is what the page about the JSON API shows.
type APIView struct {
	Version    string
	Operations []Operation
}

// Operation is one request that the API answers.
type Operation struct {
	Method, Path, Summary string
	Parameters            []Parameter
}

// Parameter is a parameter of an operation; In is path or query.
type Parameter struct{ Name, In, Type, Text string }

// API writes the page about the JSON API.
func (r *Renderer) API(w io.Writer, v *APIView) error {
	return r.render(w, "api", &frame{Title: "The JSON API · wherefore", Description: "How programs ask which line raised an error.",
		Canonical: r.options.Links.API(), Body: v})
}
