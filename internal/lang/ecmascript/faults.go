package ecmascript

import "github.com/wherefore-dev/wherefore/internal/lang"

// operand is an expression as lines of source hold it.
const operand = `[\w$.?!]+(?:\[[^\[\]]*\]|\([^()]*\)|\??\.\w+)*`

// faults are what engines throw, in the words of V8, SpiderMonkey and JavaScriptCore.
func faults() []lang.Fault {
	fault := lang.NewFault
	read := `(` + operand + `)\??\.$2\b`
	return []lang.Fault{
		fault("TypeError", `Cannot read properties of (undefined|null) \(reading '(.+?)'\)`, "`$2` was read of a value that is $1", read),
		fault("TypeError", `Cannot set properties of (undefined|null) \(setting '(.+?)'\)`, "`$2` was set of a value that is $1", read),
		fault("TypeError", `Cannot (?:read|set) property '(.+?)' of (undefined|null)`, "`$1` was asked of a value that is $2", `(`+operand+`)\??\.$1\b`),
		fault("TypeError", `(?:undefined|null) is not an object \(evaluating '(.+?)'\)`, "`$1` was evaluated where what stands before the dot is absent", `($1)`),
		fault("TypeError", `can't access property "(.+?)", (.+) is (undefined|null)`, "`$1` was asked of `$2`, which is $3", `($2)`),
		fault("TypeError", `Cannot destructure property '(.+?)' of '(.+?)' as it is (undefined|null)\.`, "`$1` was taken out of `$2`, which is $3", ""),
		fault("TypeError", `(.+?) is not a function(?:\. \(In '.+)?`, "`$1` was called and is no function", ""),
		fault("TypeError", `(.+?) is not a constructor`, "`$1` was constructed and is no constructor", ""),
		fault("TypeError", `(.+?) is not iterable(?: \(cannot read property Symbol\(Symbol\.iterator\)\))?`, "`$1` was iterated over", ""),
		fault("TypeError", `Cannot convert undefined or null to object`, "an absent value was taken for an object", `(Object\.\w+\([^()]*\))`),
		fault("TypeError", `Cannot mix BigInt and other types, use explicit conversions`, "a BigInt and a number were put together", ""),
		fault("TypeError", `Assignment to constant variable\.`, "a constant was assigned", `([\w$]+) *(?:[-+*/%&|^]|\*\*|<<|>>|&&|\|\||\?\?)?=[^=]`),
		fault("TypeError", `Cannot assign to read only property '(.+?)' of object '.*'`, "the property `$1` is frozen or read-only", `(`+operand+`\.$1)\b`),
		fault("TypeError", `Cannot (?:add|define) property (.+?), object is not extensible`, "the property `$1` was added to an object that takes none", ""),
		fault("TypeError", `Converting circular structure to JSON.*`, "a value that holds itself was to become JSON", `(JSON\.stringify\([^()]*\))`),
		fault("ReferenceError", `(.+?) is not defined`, "nothing is called `$1` there", `\b($1)\b`),
		fault("ReferenceError", `Can't find variable: (.+?)`, "nothing is called `$1` there", `\b($1)\b`),
		fault("ReferenceError", `Cannot access '(.+?)' before initialization`, "`$1` was read before its declaration ran", `\b($1)\b`),
		fault("ReferenceError", `can't access lexical declaration '(.+?)' before initialization`, "`$1` was read before its declaration ran", `\b($1)\b`),
		fault("RangeError", `Maximum call stack size exceeded`, "the calls nest too deep", ""),
		fault("InternalError", `too much recursion`, "the calls nest too deep", ""),
		fault("RangeError", `Invalid array length`, "an array of a negative or too large length was asked for", `((?:new )?Array\([^()]*\)|`+operand+`\.length *=[^=].*)`),
		fault("SyntaxError", `(?:Unexpected token .+ in JSON at position \d+.*|Unexpected (?:non-whitespace|number|string) .*JSON.*|Unexpected end of JSON input|Expected .+ in JSON at position \d+.*|.+ is not valid JSON|JSON\.parse: .+|Bad control character .+)`, "a text is no JSON", `((?:JSON\.parse|\w+\.json)\([^()]*\))`),
		fault("URIError", `URI malformed`, "a text is no encoded URI", `((?:de|en)codeURI(?:Component)?\([^()]*\))`),
	}
}
