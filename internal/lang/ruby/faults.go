package ruby

import "github.com/wherefore-dev/wherefore/internal/lang"

// faults are what the interpreter raises itself, in the words of 2.7 to 3.4.
func faults() []lang.Fault {
	operand := `@{0,2}[\w$]+[?!]?(?:\[[^\[\]]*\]|\([^()]*\)|&?\.\w+[?!]?)*`
	fault := lang.NewFault
	return []lang.Fault{
		fault("NoMethodError", "undefined method [`'](.+?)' for (nil|an instance of .+|.+)(?s:.*)", "`$1` was called on $2, which has no such method", `(`+operand+`)&?\.$1`),
		fault("NoMethodError", "(private|protected) method [`'](.+?)' called for (.+)", "`$2` is $1, and was called from outside on $3", `(`+operand+`)\.$2`),
		fault("NameError", "undefined local variable or method [`'](\\w+)' for (.+)", "nothing is called `$1` there", `\b($1)\b`),
		fault("NameError", `uninitialized constant (\S+)`, "there is no constant `$1`, or it was not loaded", ""),
		fault("ArgumentError", `wrong number of arguments \(given (\d+), expected (.+)\)`, "a method takes $2 arguments, and was given $1", ""),
		fault("ArgumentError", `missing keywords?: (.+)`, "a method was called without $1", ""),
		fault("ArgumentError", `unknown keywords?: (.+)`, "a method has no parameter $1", ""),
		fault("ArgumentError", `invalid value for (Integer|Float)\(\): (.+)`, "$2 is no number", `((?:Integer|Float)\([^()]*\))`),
		fault("ArgumentError", `comparison of (.+) with (.+) failed`, "`$1` and `$2` cannot be compared", ""),
		fault("TypeError", `no implicit conversion of (.+) into (.+)`, "`$1` was taken for a `$2`", ""),
		fault("TypeError", `(.+) can't be coerced into (.+)`, "`$1` was taken for a `$2`", ""),
		fault("KeyError", `key not found: (.+)`, "the hash has no key $1", `(`+operand+`\.fetch\([^()]*\))`),
		fault("IndexError", `index (-?\d+) outside of array bounds: (.+)`, "element $1 was asked for, outside of $2", `(`+operand+`\.fetch\([^()]*\))`),
		fault("ZeroDivisionError", `divided by 0`, "something was divided by zero", `(`+operand+` *[/%] *`+operand+`)`),
		fault("FrozenError", `can't modify frozen (\w+): (.+)`, "a frozen `$1` was changed", ""),
		fault("StopIteration", `iteration reached an end`, "there is no further element", `(`+operand+`\.next)`),
		fault("SystemStackError", `stack level too deep`, "the calls nest too deep", ""),
		fault("NoMatchingPatternError", `(.+)`, "no pattern fits $1", ""),
		fault("LoadError", `cannot load such file -- (.+)`, "there is no file `$1` on the load path", `(require(?:_relative)? .+)`),
		fault("ENOENT", `No such file or directory(?: @ \w+)? - (.+)`, "there is no file `$1`", ""),
		fault("LocalJumpError", `no block given \(yield\)`, "a method was called without its block", ""),
	}
}
