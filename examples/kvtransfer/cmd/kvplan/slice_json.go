package main

import (
	"reflect"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/slice"
)

// sliceObject is what kvplan slice --json prints.
type sliceObject struct {
	Type   string       `json:"type"`
	Ratios []int        `json:"ratios,omitempty"`
	Stage  layout.Stage `json:"stage"` // an end of -1 is not set
	Src    int          `json:"src"`
	Dst    int          `json:"dst"`
	Rule   slice.Rule   `json:"rule"`
	Mode   slice.Mode   `json:"mode"`
	// Of an answer.
	Reading slice.Reading `json:"read_as,omitempty"`
	Indices *[]int        `json:"indices,omitempty"`
	Ranges  []slice.Range `json:"ranges,omitempty"`
	Note    string        `json:"note,omitempty"`
	// Of an error.
	Error    *errorObject     `json:"error,omitempty"`
	Accepted []slice.Accepted `json:"accepted,omitempty"` // lengths of decode's list that have an answer
}

// errorObject is an error with its figures.
type errorObject struct {
	Name    string `json:"name"`             // of the Go type
	SGLang  string `json:"sglang,omitempty"` // the exception that SGLang raises, if it raises one
	Message string `json:"message"`
	Figures any    `json:"figures"`
	Missing int    `json:"missing,omitempty"` // entries too few for any list
	Surplus int    `json:"surplus,omitempty"` // entries too many for any list
}

// sliceAnswer makes the object.
func sliceAnswer(typ string, q slice.Query, res slice.Result, err error) sliceObject {
	o := sliceObject{Type: typ, Ratios: q.Ratios, Stage: q.Stage, Src: q.Src, Dst: q.Dst, Rule: q.Rule, Mode: q.Mode}
	if err == nil {
		indices := res.Indices()
		o.Reading, o.Indices, o.Ranges, o.Note = res.Reading, &indices, res.Ranges, lengthNote(q, res)
		return o
	}
	o.Error, o.Accepted = errorAnswer(err), q.Accepted()
	return o
}

// errorAnswer makes the object of an error of package slice: its figures are its fields.
func errorAnswer(err error) *errorObject {
	o := &errorObject{Name: reflect.Indirect(reflect.ValueOf(err)).Type().Name(), Message: err.Error(), Figures: err}
	switch e := err.(type) {
	case *slice.LengthError:
		o.SGLang, o.Missing, o.Surplus = "ValueError", e.Missing(), e.Surplus()
	case *slice.EndUnsetError, *slice.WindowError:
		o.SGLang = "AssertionError"
	}
	return o
}
