package rust

import "github.com/wherefore-dev/wherefore/internal/lang"

// faults are the panics of the language itself and of its library.
func faults() []lang.Fault {
	operand := `[\w.]+(?:\[[^\[\]]*\]|\([^()]*\)|\.\w+)*`
	fault := func(text, says, line string) lang.Fault { return lang.NewFault("panic", text, says, line) }
	return []lang.Fault{
		fault("called `Option::unwrap\\(\\)` on a `None` value", "an option without a value was opened", `(`+operand+`\.unwrap\(\))`),
		fault("called `Result::unwrap\\(\\)` on an `Err` value: (.+)", "a result was opened that holds the error $1", `(`+operand+`\.unwrap\(\))`),
		fault("called `Result::unwrap_err\\(\\)` on an `Ok` value: (.+)", "an error was expected and the call succeeded with $1", `(`+operand+`\.unwrap_err\(\))`),
		fault(`index out of bounds: the len is (\d+) but the index is (\d+)`, "element $2 of $1 was asked for", `(`+operand+`\[[^\[\]]+\])`),
		fault(`range (?:start|end) index (\d+) out of range for (?:slice|str) of length (\d+)`, "a part beyond the end was asked for: $1 of $2", `(`+operand+`\[[^\[\]]*\.\.[^\[\]]*\])`),
		fault(`slice index starts at (\d+) but ends at (\d+)`, "a part was asked for that begins at $1, behind its end $2", `(`+operand+`\[[^\[\]]*\.\.[^\[\]]*\])`),
		fault("byte index (\\d+) is not a char boundary; (?s:.+)", "a text was cut inside a character, at byte $1", `(`+operand+`\[[^\[\]]*\.\.[^\[\]]*\])`),
		fault(`byte index (\d+) is out of bounds of (?s:.+)`, "a text was cut beyond its end, at byte $1", `(`+operand+`\[[^\[\]]*\.\.[^\[\]]*\])`),
		fault(`attempt to (add|subtract|multiply|negate|shift left|shift right) with overflow`, "the result of an operation ($1) does not fit its type", `(`+operand+` *(?:[-+*]|<<|>>)=? *`+operand+`)`),
		fault(`attempt to divide by zero`, "something was divided by zero", `(`+operand+` */=? *`+operand+`)`),
		fault(`attempt to calculate the remainder with a divisor of zero`, "a remainder by zero was asked for", `(`+operand+` *%=? *`+operand+`)`),
		fault(`(?:already (mutably )?borrowed: \w+|RefCell already (?:mutably )?borrowed)`, "a cell was borrowed while it still was", `(`+operand+`\.borrow(?:_mut)?\(\))`),
		fault(`capacity overflow`, "more memory was asked for than can be addressed", ""),
		fault(`copy_from_slice: source slice length \((\d+)\) does not match destination slice length \((\d+)\)`, "$1 elements were copied into $2", `(`+operand+`\.copy_from_slice\([^()]*\))`),
		fault(`source slice length \((\d+)\) does not match destination slice length \((\d+)\)`, "$1 elements were copied into $2", `(`+operand+`\.copy_from_slice\([^()]*\))`),
		fault(`mid > len|(?:removal|insertion|swap_remove) index \(is (\d+)\) should be <=? len \(is (\d+)\)`, "a place beyond the end was named", `(`+operand+`\.(?:remove|insert|swap_remove|split_at)\([^()]*\))`),
		fault(`there is no reactor running, must be called from the context of a Tokio 1\.x runtime`, "an asynchronous operation was begun outside of a runtime", ""),
		fault(`Cannot (?:start a runtime from within a runtime|drop a runtime in a context where blocking is not allowed)(?s:.*)`, "a runtime was used within another one", ""),
	}
}
