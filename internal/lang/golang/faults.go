package golang

import "github.com/wherefore-dev/wherefore/internal/lang"

// operand is an expression as lines of source hold it.
const operand = `[\w.]+(?:\[[^\[\]]*\]|\([^()]*\))*`

// faults are what the runtime panics with.
func faults() []lang.Fault {
	fault := func(text, says, line string) lang.Fault {
		return lang.NewFault("", `(?:runtime error: )?(?:`+text+`)(?: \[recovered.*\])?`, says, line)
	}
	element := `(` + operand + `\[[^\[\]"]+\])`
	part := `(` + operand + `\[[^\[\]]*:[^\[\]]*\])`
	return []lang.Fault{
		fault(`invalid memory address or nil pointer dereference`, "a nil pointer was followed", `(\*?\b[a-z_]\w*(?:\.\w+|\[[^\[\]]*\]|\([^()]*\))*)\.\w+`),
		fault(`index out of range \[(-?\d+)\] with length (\d+)`, "element $1 of $2 was asked for", element),
		fault(`index out of range \[(-?\d+)\]`, "element $1 was asked for", element),
		fault(`index out of range`, "an element beyond the end was asked for", element),
		fault(`slice bounds out of range \[(.*)\](?: with (?:capacity|length) (\d+))?`, "the part [$1] was asked for, beyond what there is", part),
		fault(`integer divide by zero`, "something was divided by zero", `(`+operand+` *[/%] *`+operand+`)`),
		fault(`interface conversion: (.+) is nil, not (.+)`, "a nil `$1` was taken for a `$2`", `(`+operand+`\.\(\*?[\w.\[\]*]+\))`),
		fault(`interface conversion: (.+) is (.+), not (.+)`, "a `$2` was taken for a `$3`", `(`+operand+`\.\(\*?[\w.\[\]*]+\))`),
		fault(`interface conversion: (.+) is not (.+): missing method (\w+)`, "a `$1` was taken for a `$2`: it has no method `$3`", `(`+operand+`\.\(\*?[\w.\[\]*]+\))`),
		fault(`assignment to entry in nil map`, "an entry of a nil map was set", element+` *[-+*/|&^]?=`),
		fault(`close of (closed|nil) channel`, "a $1 channel was closed", `close\((`+operand+`)\)`),
		fault(`send on closed channel`, "something was sent on a closed channel", `(`+operand+`) *<-`),
		fault(`makeslice: (len|cap) out of range`, "the $1 of a slice to be made is negative or too large", `(make\([^()]*\))`),
		fault(`negative shift amount`, "a shift was negative", `(`+operand+` *(?:<<|>>) *`+operand+`)`),
		fault(`all goroutines are asleep - deadlock!`, "all goroutines wait for each other", ""),
		fault(`(?:concurrent map (?:read and map write|writes|iteration and map write))`, "a map was used by several goroutines at once without a lock", element),
		fault(`stack overflow|goroutine stack exceeds \d+-byte limit`, "the calls nest too deep", ""),
		fault(`hash of unhashable type (.+)`, "a `$1` cannot be the key of a map", element),
		fault(`comparing uncomparable type (.+)`, "values of type `$1` cannot be compared", ""),
	}
}
