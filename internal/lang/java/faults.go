package java

import "github.com/wherefore-dev/wherefore/internal/lang"

// Faults are what the virtual machine throws, and what the library throws for the values that it is given.
func Faults() []lang.Fault {
	operand := `[\w.]+(?:\[[^\[\]]*\]|\([^()]*\)|\.\w+)*`
	fault := lang.NewFault
	return []lang.Fault{
		fault("NullPointerException", `Cannot (?:invoke|read|assign|load|store|throw|enter|exit).+? because (?:the return value of )?"(.+?)" is null`, "`$1` is null", ""),
		fault("NullPointerException", `Cannot (.+)`, "what was needed is null: cannot $1", ""),
		fault("NullPointerException", ``, "something is null", `(`+operand+`)\.\w+`),
		fault("ArrayIndexOutOfBoundsException", `Index (-?\d+) out of bounds for length (\d+)`, "element $1 of $2 was asked for", `(`+operand+`\[[^\[\]]+\])`),
		fault("ArrayIndexOutOfBoundsException", `(-?\d+)`, "element $1 was asked for", `(`+operand+`\[[^\[\]]+\])`),
		fault("IndexOutOfBoundsException", `Index:? (-?\d+)(?: out of bounds for length |, Size: )(\d+)`, "element $1 of $2 was asked for", `(`+operand+`\.(?:get|set|remove|add|subList)\([^()]*\))`),
		fault("StringIndexOutOfBoundsException", `(?:String index out of range: (-?\d+)|begin -?\d+, end -?\d+, length \d+|[Ii]ndex:? -?\d+,? .*length:? \d+.*)`, "a part beyond the end of a text was asked for", `(`+operand+`\.(?:charAt|substring|subSequence|codePointAt)\([^()]*\))`),
		fault("NegativeArraySizeException", `(-?\d+)`, "an array of $1 elements was to be made", `(new [\w.<>]+\[[^\[\]]+\])`),
		fault("ArithmeticException", `/ by zero`, "something was divided by zero", `(`+operand+` *[/%] *`+operand+`)`),
		fault("ClassCastException", `class (\S+) cannot be cast to class (\S+)(?: \(.*)?`, "a `$1` was taken for a `$2`", `(\([\w.<>\[\], ?]+\) *`+operand+`)`),
		fault("ClassCastException", `(\S+) cannot be cast to (\S+)`, "a `$1` was taken for a `$2`", `(\([\w.<>\[\], ?]+\) *`+operand+`)`),
		fault("ArrayStoreException", `(.+)`, "a `$1` was put into an array of another type", `(`+operand+`\[[^\[\]]+\]) *=`),
		fault("NumberFormatException", `For input string: "(.*)"(?: under radix \d+)?`, `"$1" is no number`, `((?:\w+\.)?(?:parse\w+|valueOf|decode)\([^()]*\))`),
		fault("NoSuchElementException", `No value present`, "an optional without a value was opened", `(`+operand+`\.(?:get|getAs\w+|orElseThrow)\(\))`),
		fault("ConcurrentModificationException", ``, "a collection was changed while it was iterated over", ""),
		fault("StackOverflowError", ``, "the calls nest too deep", ""),
		fault("OutOfMemoryError", `(Java heap space|GC overhead limit exceeded|Metaspace|unable to create .*thread.*|Requested array size exceeds VM limit)`, "there is no memory left: $1", ""),
		fault("ClassNotFoundException", `([\w.$]+)`, "the class `$1` is not on the class path", ""),
		fault("NoClassDefFoundError", `([\w./$]+)`, "the class `$1` is not on the class path, or failed to initialize", ""),
		fault("NoSuchMethodError", `(.+)`, "a method was there when the caller was compiled and is not now: $1", ""),
	}
}
