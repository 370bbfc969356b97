package csharp

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/message"
)

// invocation lowers calls; those that make texts of their arguments become the texts.
func invocation(f *lower.File, n, depth int) *expr.Expr {
	p := calleePath(f, f.Field(n, "function"), 0)
	nodes := f.Named(f.Field(n, "arguments"))
	if p == "nameof" && len(nodes) == 1 {
		return expr.Str(last(f.Text(nodes[0])))
	}
	args := f.All(nodes, depth)
	owner, name := "", p
	if i := strings.LastIndexByte(p, '.'); i >= 0 {
		owner, name = p[:i], p[i+1:]
	}
	if e := textCall(owner, name, args); e != nil {
		return e
	}
	if typ := returned(f, n); typ != "" && name != "" {
		return &expr.Expr{Op: expr.Error, Text: typ, Args: append([]*expr.Expr{dotted(p), nil}, args...)}
	}
	function := f.Field(n, "function")
	object := f.Field(function, "expression")
	if f.Kind(function) == "conditional_access_expression" {
		object = f.First(function)
	}
	if object < 0 {
		return expr.New(expr.Call, "", append([]*expr.Expr{dotted(p)}, args...)...)
	}
	inner := f.Lower(object, depth)
	switch {
	case (name == "FormatWith" || name == "Fmt" || name == "FormatInvariant") && (flow.Textual(inner) || inner.Is(expr.Name) || inner.Is(expr.Attr)):
		if len(args) > 0 && strings.Contains(args[0].Path(), "Culture") {
			args = args[1:]
		}
		return expr.New(expr.Format, message.Composite, append([]*expr.Expr{inner}, args...)...)
	case (name == "Count" || name == "LongCount") && len(args) == 0:
		return expr.New(expr.Len, "", inner)
	case name == "Any" && len(args) == 0:
		return expr.New(expr.Compare, "!=", expr.New(expr.Len, "", inner), expr.New(expr.Number, "0"))
	case name == "Equals" && len(args) == 1:
		return expr.New(expr.Compare, "==", inner, args[0])
	case name == "ToString" && len(args) == 0 && (inner.Is(expr.List) || inner.Is(expr.Name)):
		return expr.New(expr.Join, "", inner) // of a text that was built, its pieces; of anything else what the value prints
	case name == "ToString" && (len(args) == 0 || args[0].Is(expr.String) || strings.Contains(args[0].Path(), "Culture")):
		return expr.New(expr.Interp, message.Plain, expr.New(expr.Hole, "", inner))
	case name == "ConfigureAwait" || name == "AsSpan" || name == "Trim" && (inner.Is(expr.String) || inner.Is(expr.Interp)):
		return inner
	case name == "Append" && len(args) == 1 && inner.Is(expr.List):
		return expr.New(expr.List, "", append(inner.Args[:len(inner.Args):len(inner.Args)], args[0])...)
	}
	return expr.New(expr.Call, "", append([]*expr.Expr{expr.New(expr.Attr, name, inner)}, args...)...)
}

// textCall is what the library's functions on texts and values give, nil for any other.
func textCall(owner, name string, args []*expr.Expr) *expr.Expr {
	null := expr.New(expr.Null, "null")
	text := owner == "string" || last(owner) == "String"
	switch {
	case text && name == "Format" && len(args) > 0, resources(owner) && name == "Format" && len(args) > 0:
		if len(args) > 1 && strings.Contains(args[0].Path(), "Culture") {
			args = args[1:]
		}
		return expr.New(expr.Format, message.Composite, args...)
	case strings.Contains(name, "Format") && len(args) > 1 && args[0].Is(expr.Lookup),
		name == "GetString" && len(args) > 1 && args[0].Is(expr.Lookup):
		return expr.New(expr.Format, message.Composite, args...)
	case (name == "GetString" || name == "GetResourceString") && len(args) == 1 && args[0].Is(expr.Lookup):
		return args[0]
	case text && name == "Concat" && len(args) > 1:
		return expr.New(expr.Join, "", expr.New(expr.List, "", args...), expr.Str(""))
	case text && name == "Join" && len(args) == 2:
		return expr.New(expr.Join, "", args[1], args[0])
	case text && name == "Join" && len(args) > 2:
		return expr.New(expr.Join, "", expr.New(expr.List, "", args[1:]...), args[0])
	case text && (name == "IsNullOrEmpty" || name == "IsNullOrWhiteSpace") && len(args) == 1:
		if name == "IsNullOrWhiteSpace" {
			return nil // blanks are not evaluated
		}
		return expr.Disj(expr.New(expr.Compare, "==", args[0], null), expr.New(expr.Compare, "==", expr.New(expr.Len, "", args[0]), expr.New(expr.Number, "0")))
	case name == "ReferenceEquals" && len(args) == 2, name == "Equals" && owner == "object" && len(args) == 2:
		return expr.New(expr.Compare, "==", args[0], args[1])
	case strings.HasSuffix(owner, "ResourceManager") && name == "GetString" && len(args) > 0, resources(owner) && name == "GetString" && len(args) > 0,
		resources(owner) && name == "GetResourceString" && len(args) > 0:
		return expr.New(expr.Lookup, "", args[0])
	case (last(owner) == "FormattableString" || owner == "") && name == "Invariant" && len(args) == 1:
		return args[0]
	}
	return nil
}

// creation lowers new T(…).
func creation(f *lower.File, n, depth int) *expr.Expr {
	typ := typeName(f.Text(f.Field(n, "type")))
	args := f.All(f.Named(f.Field(n, "arguments")), depth)
	switch last(typ) {
	case "StringBuilder":
		if len(args) == 0 || args[0].Is(expr.Number) {
			return expr.New(expr.List, "", expr.Str(""))
		}
		return expr.New(expr.List, "", args[0])
	case "List":
		if len(args) == 0 {
			return expr.New(expr.List, "")
		}
	}
	return f.Error(expr.New(expr.Call, "new", append([]*expr.Expr{dotted(typ)}, args...)...))
}
