package csharp

import "github.com/wherefore-dev/wherefore/internal/lang"

// faults are what the runtime throws itself.
func faults() []lang.Fault {
	operand := `[\w.?!]+(?:\[[^\[\]]*\]|\([^()]*\)|\??\.\w+)*`
	fault := lang.NewFault
	return []lang.Fault{
		fault("NullReferenceException", `Object reference not set to an instance of an object\.?`, "something is null", `(`+operand+`)\.\w+`),
		fault("IndexOutOfRangeException", `Index was outside the bounds of the array\.?`, "an element beyond the end was asked for", `(`+operand+`\[[^\[\]]+\])`),
		fault("ArgumentOutOfRangeException", `Index was out of range\. Must be non-negative and less (?:than|than or equal to) the size of the collection\.(?: \(Parameter '\w+'\)|\s+Parameter name: \w+)?`, "an element beyond the end of a collection was asked for", `(`+operand+`\[[^\[\]]+\]|`+operand+`\.(?:RemoveAt|Insert|ElementAt|GetRange)\([^()]*\))`),
		fault("KeyNotFoundException", `The given key '(.*)' was not present in the dictionary\.`, "the dictionary has no key `$1`", `(`+operand+`\[[^\[\]]+\])`),
		fault("DivideByZeroException", `Attempted to divide by zero\.?`, "something was divided by zero", `(`+operand+` *[/%] *`+operand+`)`),
		fault("InvalidCastException", `Unable to cast object of type '(.+)' to type '(.+)'\.`, "a `$1` was taken for a `$2`", `(\([\w.<>\[\]?, ]+\) *`+operand+`)`),
		fault("InvalidOperationException", `Sequence contains no (?:matching )?elements?\.?`, "an element was asked of what has none", `(`+operand+`\.(?:First|Last|Single|Min|Max|Average|Aggregate)\([^()]*\))`),
		fault("InvalidOperationException", `Sequence contains more than one (?:matching )?element\.?`, "the one element was asked of what has several", `(`+operand+`\.Single\w*\([^()]*\))`),
		fault("InvalidOperationException", `Nullable object must have a value\.?`, "the value of a nullable without one was asked for", `(`+operand+`)\.Value\b`),
		fault("InvalidOperationException", `Collection was modified; enumeration operation may not execute\.?`, "a collection was changed while it was iterated over", ""),
		fault("FormatException", `(?:Input string was not in a correct format\.|The input string '(.*)' was not in a correct format\.)`, "`$1` is no number", `((?:\w+\.)?(?:Parse|To\w+)\([^()]*\))`),
		fault("OverflowException", `(?:Arithmetic operation resulted in an overflow\.|Value was either too large or too small for an? (.+)\.)`, "a number does not fit", ""),
		fault("StackOverflowException", `(.*)`, "the calls nest too deep", ""),
		fault("OutOfMemoryException", `(.*)`, "there is no memory left", ""),
		fault("FileNotFoundException", `Could not find file '(.+)'\.`, "there is no file `$1`", ""),
		fault("MissingMethodException", `Method not found: '(.+)'\.`, "a method was there when the caller was compiled and is not now: `$1`", ""),
	}
}
