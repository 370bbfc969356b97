package php

import "github.com/wherefore-dev/wherefore/internal/lang"

// faults are what the engine raises itself, in the words of 7 and 8.
func faults() []lang.Fault {
	operand := `\$\w+(?:\[[^\[\]]*\]|->\w+(?:\([^()]*\))?)*`
	fault := lang.NewFault
	return []lang.Fault{
		fault("Warning", `Undefined variable \$?(\w+)`, "the variable `$$1` was read before anything was put into it", `(\$$1)\b`),
		fault("Warning", `Undefined array key (.+)`, "the array has no key $1", `(`+operand+`\[[^\[\]]+\])`),
		fault("Notice", `Undefined (?:index|offset): (.+)`, "the array has no key $1", `(`+operand+`\[[^\[\]]+\])`),
		fault("Warning", `Undefined property: ([\w\\]+)::\$(\w+)`, "a `$1` has no property `$2`", `(`+operand+`->$2)\b`),
		fault("Warning", `Attempt to read property "(\w+)" on (.+)`, "`$1` was read of a value that is $2", `(`+operand+`)\??->$1\b`),
		fault("Warning", `Trying to access array offset on (?:value of type )?(.+)`, "an element was asked of a value that is $1", `(`+operand+`)\[`),
		fault("Error", `Call to a member function (\w+)\(\) on (.+)`, "`$1` was called on a value that is $2", `(`+operand+`)->$1\(`),
		fault("Error", `Call to undefined method ([\w\\]+)::(\w+)\(\)`, "a `$1` has no method `$2`", `(`+operand+`->$2)\(`),
		fault("Error", `Call to undefined function ([\w\\]+)\(\)`, "there is no function `$1`", `\b($1)\(`),
		fault("Error", `Class "(.+)" not found`, "there is no class `$1`, or it was not loaded", ""),
		fault("Error", `Undefined constant "?(.+?)"?`, "there is no constant `$1`", `\b($1)\b`),
		fault("Error", `Cannot access (?:private|protected) (?:property|method) ([\w\\]+)::\$?(\w+)`, "`$2` of `$1` is not for others", `(`+operand+`->$2)\b`),
		fault("Error", `Cannot modify readonly property ([\w\\]+)::\$(\w+)`, "the property `$2` of `$1` was set a second time", `(`+operand+`->$2)\b`),
		fault("DivisionByZeroError", `(Division|Modulo) by zero`, "something was divided by zero", `(`+operand+` *[/%] *`+operand+`)`),
		fault("TypeError", `(.+): Argument #(\d+) \(\$(\w+)\) must be of type (.+?), (.+?) given.*`, "`$3` of `$1` must be of type `$4`, and was of type `$5`", ""),
		fault("TypeError", `(.+): Return value must be of type (.+?), (.+?) returned`, "`$1` must return a `$2`, and returned a `$3`", ""),
		fault("TypeError", `Unsupported operand types: (.+)`, "an operator is not defined for $1", ""),
		fault("TypeError", `Cannot assign (.+) to property ([\w\\]+)::\$(\w+) of type (.+)`, "the property `$3` of `$2` takes a `$4`, and was given a `$1`", `(`+operand+`->$3)\b`),
		fault("ArgumentCountError", `Too few arguments to function (.+), (\d+) passed.* and (?:exactly|at least) (\d+) expected`, "`$1` needs $3 arguments, and was given $2", ""),
		fault("UnhandledMatchError", `Unhandled match case (.+)`, "no arm of a `match` fits $1", `(match *\([^()]*\))`),
		fault("Error", `Allowed memory size of (\d+) bytes exhausted.*`, "the memory limit of $1 bytes is reached", ""),
		fault("Error", `Maximum execution time of (\d+) seconds? exceeded`, "the time limit of $1 seconds is reached", ""),
	}
}
