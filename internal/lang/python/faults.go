package python

import "github.com/wherefore-dev/wherefore/internal/lang"

// subscript and value are expressions as lines of source hold them: an element of something, and anything that can stand before a dot.
const (
	subscript = `[\w.]+(?:\[[^\[\]]*\]|\([^()]*\))*\[[^\[\]]+\]`
	value     = `[\w.]+(?:\[[^\[\]]*\]|\([^()]*\))*`
)

// faults are what the interpreter raises, in the words of 3.8 to 3.14.
func faults() []lang.Fault {
	fault := lang.NewFault
	return []lang.Fault{
		fault("KeyError", `('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|-?\d+|\(.*\)|None|b'[^']*'|<.*>|[A-Z]\w*(?:\.\w+|\(.*\)))`, "the mapping has no key $1", subscript+`|`+value+`\.pop\([^()]*\)`),
		fault("AttributeError", `'([\w.]+)' object has no attribute '(\w+)'(?:\. Did you mean.*)?`, "a value of type `$1` has no attribute `$2`", `(`+value+`\.$2)\b`),
		fault("AttributeError", `'([\w.]+)' object attribute '(\w+)' is read-only`, "the attribute `$2` of a `$1` cannot be set", `(`+value+`\.$2)\b`),
		fault("AttributeError", `(?:partially initialized )?module '([\w.]+)' has no attribute '(\w+)'.*`, "the module `$1` has no `$2`", `(`+value+`\.$2)\b`),
		fault("AttributeError", `type object '([\w.]+)' has no attribute '(\w+)'.*`, "the class `$1` has no attribute `$2`", `(`+value+`\.$2)\b`),
		fault("IndexError", `((?:list|tuple|string|range object|array|deque)(?: assignment)? index) out of range`, "the $1 is beyond the end", subscript),
		fault("IndexError", `(pop from (?:an )?empty \w+|pop index out of range)`, "there is no element to take: $1", `(`+value+`\.pop\w*\([^()]*\))`),
		fault("TypeError", `'([\w.]+)' object is not subscriptable.*`, "a value of type `$1` has no elements", subscript),
		fault("TypeError", `'([\w.]+)' object does not support item (assignment|deletion)`, "elements of a `$1` cannot be set", subscript),
		fault("TypeError", `'([\w.]+)' object is not callable.*`, "a value of type `$1` was called", `(`+value+`)\(`),
		fault("TypeError", `(?:'([\w.]+)' object is not iterable|cannot unpack non-iterable (\w+) object)`, "a value of type `$1$2` was iterated over", ""),
		fault("TypeError", `unsupported operand type\(s\) for (.+): '([\w.]+)' and '([\w.]+)'.*`, "`$1` is not defined for `$2` and `$3`", ""),
		fault("TypeError", `'(.+)' not supported between instances of '([\w.]+)' and '([\w.]+)'`, "`$1` is not defined for `$2` and `$3`", `(`+value+` *$1 *`+value+`)`),
		fault("TypeError", `can(?:not| only) concatenate (.+)`, "texts and other values do not add up: can only concatenate $1", ""),
		fault("TypeError", `([\w.<>]+)\(\) missing (\d+) required (?:positional|keyword-only) arguments?: (.+)`, "`$1` was called without $3", ""),
		fault("TypeError", `([\w.<>]+)\(\) takes (.+) but (.+) (?:was|were) given`, "`$1` takes $2, and was given $3", ""),
		fault("TypeError", `([\w.<>]+)\(\) got an unexpected keyword argument '(\w+)'.*`, "`$1` has no parameter `$2`", ""),
		fault("TypeError", `([\w.<>]+)\(\) got multiple values for argument '(\w+)'`, "`$1` was given `$2` twice", ""),
		fault("TypeError", `unhashable type: '([\w.]+)'`, "a `$1` cannot be a key or a member of a set", subscript),
		fault("NameError", `name '(\w+)' is not defined.*`, "nothing is called `$1` there", `\b($1)\b`),
		fault("UnboundLocalError", `(?:cannot access local variable|local variable) '(\w+)' .+`, "the local variable `$1` was read before it was assigned", `\b($1)\b`),
		fault("NameError", `(?:cannot access )?free variable '(\w+)' .+`, "the variable `$1` of the enclosing function was not assigned yet", `\b($1)\b`),
		fault("ZeroDivisionError", `((?:integer |float )?(?:division|modulo|division or modulo)(?: by zero)?|integer modulo by zero|float floor division by zero)`, "something was divided by zero", `(`+value+` *(?://|/|%) *`+value+`)`),
		fault("ValueError", `not enough values to unpack \(expected (?:at least )?(\d+), got (\d+)\)`, "$2 values were to be unpacked to $1 names", ""),
		fault("ValueError", `too many values to unpack \(expected (\d+)(?:, got \d+)?\)`, "more than $1 values were to be unpacked to $1 names", ""),
		fault("ValueError", `invalid literal for int\(\) with base (\d+): (.+)`, "$2 is no whole number in base $1", `(int\([^()]*\))`),
		fault("ValueError", `could not convert string to float: (.+)`, "$1 is no number", `(float\([^()]*\))`),
		fault("ModuleNotFoundError", `No module named '([\w.]+)'(?:; '.+' is not a package)?`, "there is no module `$1` on the path", ""),
		fault("ImportError", `cannot import name '(\w+)' from (?:partially initialized module )?'([\w.]+)'.*`, "the module `$2` has no `$1`", ""),
		fault("RecursionError", `maximum recursion depth exceeded.*`, "the calls nest too deep", ""),
		fault("FileNotFoundError", `\[Errno 2\] No such file or directory: (.+)`, "there is no file $1", ""),
		fault("PermissionError", `\[Errno 13\] Permission denied: (.+)`, "the process may not do that with $1", ""),
		fault("UnicodeDecodeError", `'([\w-]+)' codec can't decode bytes? .+`, "the bytes are no text in `$1`", ""),
	}
}
