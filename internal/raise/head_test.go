package raise

import (
	"fmt"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

func TestHead(t *testing.T) {
	f := &Facts{Module: "m", Types: []Type{{Name: "T"}}, Values: []Value{{Name: "V"}}, Functions: []Function{{Name: "load", Owner: "a.Store", Calls: []Call{{Callee: "os.open"}}}},
		Handlers:     []Handler{{Types: []string{"errors.Missing"}}},
		Expectations: []Expectation{{Message: expr.Str(`no \bentry called`)}, {Message: expr.Str("negated"), Negated: true}}}
	for i := range 200 {
		f.Functions = append(f.Functions, Function{Name: fmt.Sprint("other", i)})
	}
	h, err := DecodeHead(EncodeHead(f))
	if err != nil || h.Module != "m" || !h.Expects {
		t.Fatalf("%+v, %v", h, err)
	}
	for name, of := range map[string]Of{"load": OfCall, "a.Store.load": OfDefined, "T": OfDefined, "V": OfDefined, "Store": OfCall, "open": OfCall, "other199": OfCall, "Missing": OfHandler, "entry": OfExpected, "called": OfExpected} {
		if !h.May(of, name) {
			t.Errorf("%s is not found", name)
		}
	}
	wrong := 0
	for i := range 1000 {
		if h.May(OfCall, fmt.Sprint("absent", i)) {
			wrong++
		}
	}
	if wrong > 50 {
		t.Errorf("%d of 1000 absent names are found", wrong)
	}
	if h.May(OfExpected, "negated") || h.May(OfHandler, "load") || h.May(OfExpected, "no") {
		t.Error("a name is found for what it does not stand for")
	}
	empty, err := DecodeHead(EncodeHead(&Facts{}))
	if err != nil || empty.May(OfCall, "load") {
		t.Errorf("an empty file has names (%v)", err)
	}
}
