package raise

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// sample is facts with every field set, so that a forgotten field shows.
func sample() *Facts {
	src := "len(dst) - 2 * full"
	sum := &expr.Expr{Op: expr.Binary, Text: "-", Src: src, Args: []*expr.Expr{
		{Op: expr.Len, Src: src[:8], Args: []*expr.Expr{{Op: expr.Name, Text: "dst", Src: src[4:7]}}},
		{Op: expr.Binary, Text: "*", Src: src[11:], Args: []*expr.Expr{
			{Op: expr.Number, Text: "2", Src: "2"}, {Op: expr.Name, Text: "full", Src: "full"}}},
	}}
	msg := expr.New(expr.Interp, "brace", expr.Str("unexpected length "), expr.New(expr.Hole, "!r", sum))
	return &Facts{
		Language: "L", Module: "m", Doc: "doc", FileKind: "generated",
		Imports:   []Import{{Local: "a", Module: "b", Symbol: "c", Line: 1}},
		Functions: []Function{{Name: "f", Owner: "C", Parent: -1, Params: []Param{{Name: "x", Type: "int", Default: expr.Ident("y"), Variadic: true, Keywords: true}}, Line: 3, EndLine: 300, Exported: true, Static: true, Doc: "d", Makes: []*expr.Expr{msg}}},
		Sites: []Site{{Kind: KindError, Function: 0, Start: 100, End: 70000, Line: 5, EndLine: 6, Made: 4, Type: expr.Ident("T"), TypeName: "T",
			Args: []*expr.Expr{msg, nil}, Message: msg, Via: "v", Potential: true, Sentinel: "s", Wraps: sum, Declared: "D",
			Condition: []Part{{Role: RoleGuard, Expr: sum, Text: "t", Line: 2, Leaves: "return", Stale: []string{"full"}}},
			Defs:      []Def{{Name: "w", Value: sum, Line: 9}}, Assigned: []string{"full"}, Kept: true, Comment: "c\nd"}},
		Values:       []Value{{Name: "V", Value: msg, Line: 1, Site: -1}},
		Types:        []Type{{Name: "T", Bases: []string{"B"}, Line: 1, EndLine: 2, Doc: "d", Params: []Param{{Name: "p"}}, Fields: []Def{{Name: "self.x", Value: sum, Line: 1}}, Message: msg, Super: []*expr.Expr{msg}, SuperOf: "B"}},
		Expectations: []Expectation{{Function: -1, Line: 1, EndLine: 2, Type: "T", Message: msg, Form: "regexp", Calls: []string{"f"}, Negated: true}},
		Handlers:     []Handler{{Function: 0, Line: 8, From: 4, To: 7, Types: []string{"T", "a.U"}}},
		Problems:     []Problem{{Line: 7, Reason: "r"}},
	}
}

func TestEncodingKeepsEverything(t *testing.T) {
	want := sample()
	core, err := DecodeCore(EncodeCore(want))
	if err != nil {
		t.Fatal(err)
	}
	outline, err := DecodeOutline(EncodeOutline(want))
	if err != nil {
		t.Fatal(err)
	}
	names, err := DecodeNames(EncodeCore(want))
	if err != nil {
		t.Fatal(err)
	}
	names.Sites, names.Expectations, names.Handlers = want.Sites, want.Expectations, want.Handlers
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	core.Expectations, core.Handlers = outline.Expectations, outline.Handlers
	if diff := cmp.Diff(want, core); diff != "" {
		t.Errorf("core (-want +got):\n%s", diff)
	}
	want.Functions[0].Makes, want.Functions[0].Doc = nil, ""
	if diff := cmp.Diff(want.Functions, outline.Functions); diff != "" {
		t.Errorf("outline (-want +got):\n%s", diff)
	}
}

func TestCoreKeepsTheFunctionsThatSitesNeed(t *testing.T) {
	f := &Facts{
		Functions: []Function{{Name: "unused", Parent: -1}, {Name: "outer", Parent: -1}, {Name: "inner", Parent: 1}},
		Sites:     []Site{{Function: 2}, {Function: NoFunction}},
	}
	got, err := DecodeCore(EncodeCore(f))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Functions) != 2 || got.Functions[1].Name != "inner" || got.Functions[1].Parent != 0 {
		t.Errorf("functions: %+v", got.Functions)
	}
	if got.Sites[0].Function != 1 || got.Sites[1].Function != NoFunction {
		t.Errorf("sites: %+v", got.Sites)
	}
}

// FuzzDecode feeds damaged encodings: an error or facts, never a panic.
func FuzzDecode(f *testing.F) {
	f.Add(EncodeCore(sample()))
	f.Add(EncodeOutline(sample()))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = DecodeCore(data)
		_, _ = DecodeOutline(data)
		if h, err := DecodeHead(data); err == nil {
			h.May(OfCall, "f")
		}
	})
}
