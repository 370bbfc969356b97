package ecmascript

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/raise"
)

// maxOwner bounds the path of functions around a function that is told as its owner.
const maxOwner = 200

// locals marks names that only the function before it can use.
const locals = ".<locals>"

// nameFunction says what a function is called and what it belongs to.
func (f *file) nameFunction(n int, in *scope, fn *raise.Function) {
	t := &f.tree
	outer := f.qualified(in.function)
	if len(outer) > maxOwner {
		outer = lastName(strings.ReplaceAll(outer, locals, "")) // so deep that the path is no name any more
	}
	if outer != "" {
		outer += locals
	}
	switch t.kind(n) {
	case kFunctionDeclaration, kGeneratorDeclaration:
		if name := t.child(n, kIdentifier); name >= 0 {
			fn.Name, fn.Owner = t.text(name), outer
		}
		fn.Exported = f.exported(n) && outer == ""
		return
	case kMethod:
		fn.Name, _ = f.key(t.child(n, kPropertyIdentifier, kPrivateIdentifier, kString, kNumber, kComputed))
		if in.isClass {
			fn.Owner = in.class
			fn.Exported = !strings.HasPrefix(fn.Name, "#") && !f.hasWord(n, "private")
			return
		}
		fn.Owner = f.objectName(t.parent(n), outer)
		return
	}
	f.nameValue(n, in, outer, fn)
	if fn.Name == "" {
		if own := t.child(n, kIdentifier); own >= 0 && t.kind(n) != kArrow {
			fn.Name, fn.Owner = t.text(own), outer
		}
	}
	if fn.Name == "" {
		fn.Owner = outer
	}
}

// nameValue names a function value after what it is assigned to.
func (f *file) nameValue(n int, in *scope, outer string, fn *raise.Function) {
	t := &f.tree
	holder, value := f.holder(n)
	switch t.kind(holder) {
	case kDeclarator:
		if name := t.first(holder); t.kind(name) == kIdentifier && name != value {
			fn.Name, fn.Owner = t.text(name), outer
			fn.Exported = outer == "" && f.exported(t.parent(holder))
		}
	case kAssignment:
		if left := t.first(holder); left != value {
			fn.Name, fn.Owner, fn.Exported = f.assignedName(f.path(left), in, outer)
		}
	case kPair:
		if name, ok := f.key(t.first(holder)); ok {
			fn.Name, fn.Owner = name, f.objectName(t.parent(holder), outer)
		}
	case kField:
		if in.isClass {
			fn.Name, _ = f.key(t.child(holder, kPropertyIdentifier, kPrivateIdentifier, kString))
			fn.Owner = in.class
			fn.Exported = !strings.HasPrefix(fn.Name, "#")
		}
	case kExport:
		fn.Name, fn.Exported = "default", true
	}
}

// holder climbs from a value through what does not change it to the node that keeps it.
func (f *file) holder(n int) (holder, value int) {
	t := &f.tree
	for p := t.parent(n); p >= 0; p = t.parent(p) {
		switch t.kind(p) {
		case kParenthesized, kAs, kSatisfies, kNonNull, kTypeAssertion:
			n = p
			continue
		}
		return p, n
	}
	return 0, n
}

// assignedName splits the target of an assignment into name and owner: exports.f is f, Foo.prototype.bar is bar of Foo, and a
// member of the receiver belongs to the class or constructor around it.
func (f *file) assignedName(path string, in *scope, outer string) (name, owner string, exported bool) {
	for _, prefix := range []string{"module.exports.", "exports."} {
		if rest, ok := strings.CutPrefix(path, prefix); ok {
			path, exported = rest, true
			break
		}
	}
	if path == "module.exports" || path == "exports" {
		return "default", "", true
	}
	path = strings.Replace(path, ".prototype.", ".", 1)
	if rest, ok := strings.CutPrefix(path, "self."); ok {
		return rest, f.receiver(in), exported
	}
	i := strings.LastIndexByte(path, '.')
	if i < 0 {
		return path, outer, exported
	}
	return path[i+1:], path[:i], exported
}

// receiver is the class or constructor that "this" is made by: the owner of the nearest method around, or the function itself.
func (f *file) receiver(in *scope) string {
	if in.isClass {
		return in.class
	}
	for i := in.function; i >= 0; i = f.facts.Functions[i].Parent {
		switch fn := &f.facts.Functions[i]; {
		case fn.Name == "":
		case fn.Owner != "" && !strings.HasSuffix(fn.Owner, locals):
			return fn.Owner
		default:
			return fn.Name
		}
	}
	return ""
}

// objectName is the name under which an object literal's members can be reached: what it is assigned to, "" for an exported one.
func (f *file) objectName(n int, outer string) string {
	t := &f.tree
	if n < 0 || t.kind(n) != kObject {
		return outer
	}
	holder, value := f.holder(n)
	switch t.kind(holder) {
	case kDeclarator:
		if name := t.first(holder); t.kind(name) == kIdentifier && name != value {
			return join(outer, t.text(name))
		}
	case kAssignment:
		path := f.path(t.first(holder))
		if path == "module.exports" || path == "exports" {
			return ""
		}
		path = strings.TrimPrefix(strings.TrimPrefix(path, "module."), "exports.")
		return join(outer, strings.TrimSuffix(path, ".prototype"))
	case kPair:
		if name, ok := f.key(t.first(holder)); ok {
			return join(f.objectName(t.parent(holder), outer), name)
		}
	case kArguments:
		// Object.assign(Foo.prototype, { … }) and Object.freeze({ … }).
		call := t.parent(holder)
		switch f.path(t.first(call)) {
		case "Object.assign", "extend", "_.extend", "inherits":
			if target := t.first(holder); target != value {
				return strings.TrimSuffix(f.path(target), ".prototype")
			}
		case "Object.freeze":
			return f.frozenName(call, outer)
		}
	}
	return outer
}

// frozenName is objectName for a call that returns its argument.
func (f *file) frozenName(call int, outer string) string {
	holder, _ := f.holder(call)
	if f.tree.kind(holder) == kDeclarator {
		if name := f.tree.first(holder); f.tree.kind(name) == kIdentifier {
			return join(outer, f.tree.text(name))
		}
	}
	return outer
}

func join(outer, name string) string {
	if outer == "" {
		return name
	}
	return outer + "." + name
}

// qualified is the name of a function with its owner; "" for an anonymous one outside of any named function.
func (f *file) qualified(function int) string {
	if function < 0 {
		return ""
	}
	fn := &f.facts.Functions[function]
	if fn.Name == "" {
		return strings.TrimSuffix(fn.Owner, locals)
	}
	return join(fn.Owner, fn.Name)
}

// exported reports whether a declaration stands directly in an export statement.
func (f *file) exported(n int) bool {
	p := f.tree.parent(n)
	return p >= 0 && f.tree.kind(p) == kExport
}

// hasWord reports whether a modifier stands before the name of a member.
func (f *file) hasWord(n int, word string) bool {
	t := &f.tree
	end := t.end(n)
	if name := t.child(n, kPropertyIdentifier, kPrivateIdentifier, kString, kNumber, kComputed); name >= 0 {
		end = t.start(name)
	}
	head := f.src[t.start(n):end]
	if len(head) > 400 {
		return false
	}
	for _, w := range strings.Fields(head) {
		if w == word {
			return true
		}
	}
	return false
}

// className is the name of a class with those that it stands in.
func (f *file) className(n int, in *scope) string {
	t := &f.tree
	name := ""
	if own := t.child(n, kIdentifier, kTypeIdentifier); own >= 0 {
		name = t.text(own)
	} else {
		holder, value := f.holder(n)
		switch t.kind(holder) {
		case kDeclarator:
			if first := t.first(holder); t.kind(first) == kIdentifier && first != value {
				name = t.text(first)
			}
		case kAssignment:
			name = lastName(f.path(t.first(holder)))
			if name == "exports" {
				name = "default"
			}
		case kPair, kField:
			name, _ = f.key(t.child(holder, kPropertyIdentifier, kIdentifier, kString))
		case kExport:
			name = "default"
		}
	}
	if in.isClass && in.class != "" {
		return join(in.class, name)
	}
	return name
}

// statementOf is the statement, member or entry that a node stands in: what a comment above it speaks of.
func (f *file) statementOf(n int) int {
	t := &f.tree
	for p := n; p >= 0; p = t.parent(p) {
		switch k := t.kind(p); {
		case k == kExport, k >= kImport && k <= kLabeled && k != kElse && k != kSwitchBody && k != kBlock, k == kMethod, k == kField, k == kPair:
			if q := t.parent(p); q >= 0 && t.kind(q) == kExport {
				return q
			}
			return p
		case k == kProgram:
			return n
		}
	}
	return n
}
