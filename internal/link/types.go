package link

import (
	"strconv"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

func itoa(i int) string { return strconv.Itoa(i) }

// construct says with which message an error of a type is raised: what the site says, what the type's own message makes of the
// arguments, or what the runtime prints for a type of the language's library.
func (l *linker) construct(file int, owner string, typ *expr.Expr, name string, text *expr.Expr, args []*expr.Expr) []made {
	if typ != nil {
		if sym, ok := l.resolve(file, owner, typePath(typ), 0); ok {
			switch {
			case sym.typ != nil:
				if m, own := l.ofType(sym, sym, args, 0); own || text == nil {
					m.typ = ownName(sym.typ, name)
					return l.inFile(m, file)
				}
			case sym.value != nil && sym.value.Value.Is(expr.Error):
				v := sym.value.Value
				return l.construct(sym.file, "", v.Arg(0), name, v.Arg(1), v.Args[2:])
			}
		}
	}
	if text == nil {
		text = l.render(file, name, args)
	}
	m := made{typ: name, text: text, file: file}
	if text == nil && len(args) > 0 {
		m.unknown = UnknownForeign
	}
	return []made{m}
}

// ownName is the name that a type has where it is defined, which the raising file may know by another one.
func ownName(t *raise.Type, name string) string {
	if own := LastName(t.Name); own != "" && own != "default" {
		return own
	}
	return name
}

// inFile says in which file the names of a message of a type are looked up. Arguments come from the raising file, the class's
// constants from its own; bound messages have had the constants put in, so the raising file decides.
func (l *linker) inFile(m made, file int) []made {
	m.file = file
	return []made{m}
}

func typePath(typ *expr.Expr) string {
	if typ.Op == expr.Call {
		typ = typ.Arg(0)
	}
	p := typ.Path()
	if rest, ok := strings.CutPrefix(p, "this."); ok {
		return "self." + rest
	}
	return p
}

// render is what the runtime prints for an error of a type that the repository does not define.
func (l *linker) render(file int, name string, args []*expr.Expr) *expr.Expr {
	g := l.languages[l.files[file].Facts.Language]
	if g == nil || g.Render == nil {
		if len(args) == 0 {
			return nil
		}
		return args[0]
	}
	return g.Render(name, args)
}

// ofType is the message of a value of a type made with args. own is false if neither the type nor its bases in the repository
// say anything of their own, and the message is what the runtime prints. self is the type that is made, where sym is a base of it.
func (l *linker) ofType(sym, self symbol, args []*expr.Expr, depth int) (m made, own bool) {
	t := sym.typ
	if depth > maxLookup {
		return made{}, false
	}
	if t.Message != nil {
		return made{text: l.instance(sym, self, t.Message, args), file: sym.file}, true
	}
	handed := args
	if t.Super != nil {
		handed = make([]*expr.Expr, len(t.Super))
		for i, a := range t.Super {
			handed[i] = l.instance(sym, self, a, args)
		}
		handed = spread(handed)
		own = true
	}
	candidates := t.Bases
	if t.SuperOf != "" {
		candidates = []string{t.SuperOf}
	}
	for _, base := range candidates {
		b, ok := l.resolve(sym.file, "", base, 0)
		if !ok || b.typ == nil || b.typ == t {
			continue
		}
		m, baseOwn := l.ofType(b, self, handed, depth+1)
		return m, own || baseOwn
	}
	base := t.Name
	if len(candidates) > 0 {
		base = candidates[0]
	}
	return made{text: l.render(sym.file, LastName(base), spread(handed)), file: sym.file}, own
}

// spread opens unpacked tuples in arguments.
func spread(args []*expr.Expr) []*expr.Expr {
	return spliced(expr.New(expr.Tuple, "", args...)).Args
}

// instance writes a type's text in terms of the arguments that a value was made with: members become what the constructor put
// there, class constants their values, of the type that is made before those of its bases, parameters the arguments.
func (l *linker) instance(sym, self symbol, text *expr.Expr, args []*expr.Expr) *expr.Expr {
	t := sym.typ
	for range 3 {
		changed := false
		text = text.Map(func(e *expr.Expr) *expr.Expr {
			if !e.Is(expr.Attr) || !e.Arg(0).Is(expr.Name) || e.Arg(0).Text != "self" {
				return e
			}
			if v := l.field(sym, self, e, 0); v != nil {
				changed = true
				return v
			}
			return e
		})
		if !changed {
			break
		}
	}
	return bind(l.constants(sym.file, t.Params, text), t.Params, args)
}

// constants puts the texts and tables of a file in for their names, so that they keep their meaning in another file.
func (l *linker) constants(file int, params []raise.Param, text *expr.Expr) *expr.Expr {
	return text.Map(func(e *expr.Expr) *expr.Expr {
		if !e.Is(expr.Name) || isParam(params, e) {
			return e
		}
		switch v := l.text(file, "", e); {
		case v.Is(expr.String), v.Is(expr.Map), v.Is(expr.List), v.Is(expr.Tuple):
			return v
		}
		return e
	})
}

// field is what a member holds: set by the constructor of the type or, for class constants, of a base.
func (l *linker) field(sym, self symbol, e *expr.Expr, depth int) *expr.Expr {
	for _, f := range sym.typ.Fields {
		if f.Name == "self."+e.Text {
			return f.Value
		}
	}
	for i := range sym.typ.Params {
		if sym.typ.Params[i].Name == e.Text && isComposite(sym.typ) {
			return expr.Ident(e.Text)
		}
	}
	if s, ok := l.member(self.file, self.typ.Name, e.Text, false, depth); ok {
		if s.value != nil {
			return s.value.Value
		}
		return nil
	}
	return promoted(sym.typ, e)
}

// promoted is a member that a type can only have from the one type that it embeds: such a type is a field of its own name.
func promoted(t *raise.Type, e *expr.Expr) *expr.Expr {
	if !isComposite(t) || len(t.Bases) != 1 {
		return nil
	}
	name := LastName(t.Bases[0])
	for i := range t.Params {
		if t.Params[i].Name == name {
			return expr.New(expr.Attr, e.Text, expr.Ident(name))
		}
	}
	return nil
}

// isComposite reports whether a type's parameters are its fields: it has no constructor that sets others.
func isComposite(t *raise.Type) bool { return len(t.Fields) == 0 && t.Super == nil }
