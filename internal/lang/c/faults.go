package c

import "github.com/wherefore-dev/wherefore/internal/lang"

// Faults are what the system, the standard library and the sanitizers say of a program that did what it must not.
func Faults() []lang.Fault {
	fault := lang.NewFault
	return []lang.Fault{
		fault("", `Segmentation fault(?: \(core dumped\))?`, "memory was read or written that is not the program's: a null or dangling pointer, or an index beyond the end", `(\w+(?:->\w+)+|\*\w+|\w+\[[^\[\]]+\])`),
		fault("", `Floating point exception(?: \(core dumped\))?`, "a whole number was divided by zero", `(\w+ *[/%] *\w+)`),
		fault("", `(?:free\(\): |malloc\(\): |realloc\(\): |double free or corruption).*`, "memory was freed twice, or written beyond what was allocated", ""),
		fault("", `\*\*\* stack smashing detected \*\*\*.*`, "an array on the stack was written beyond its end", ""),
		fault("out_of_range", `(basic_string::\w+): __pos \(which is (\d+)\) > this->size\(\) \(which is (\d+)\)`, "position $2 of a text of $3 characters was asked for, in `$1`", `(\w+\.(?:substr|at|erase|insert|replace|compare)\([^()]*\))`),
		fault("out_of_range", `vector::_M_range_check: __n \(which is (\d+)\) >= this->size\(\) \(which is (\d+)\)`, "element $1 of $2 was asked for", `(\w+\.at\([^()]*\))`),
		fault("out_of_range", `(?:map|unordered_map|_Map_base)::at`, "a map does not have the key that was asked for", `(\w+\.at\([^()]*\))`),
		fault("out_of_range", `(sto\w+)`, "the number is too large for `$1`", `(sto\w+\([^()]*\))`),
		fault("invalid_argument", `(sto\w+)`, "the text given to `$1` is no number", `(sto\w+\([^()]*\))`),
		fault("length_error", `((?:vector|basic_string)::\w+)`, "more elements were asked for than fit, in `$1`", ""),
		fault("logic_error", `basic_string(?:: construction from|::_M_construct) null(?: is not valid)?`, "a text was made from a null pointer", ""),
		fault("bad_alloc", `std::bad_alloc`, "there is not enough memory for what was asked for", `(new [\w:<>]+(?:\[[^\[\]]+\])?)`),
		fault("bad_optional_access", `bad optional access`, "an optional without a value was opened", `(\w+\.value\(\))`),
		fault("bad_variant_access", `(?:std::get: wrong index for variant|bad_variant_access|Unexpected index)`, "a variant holds another type than the one that was asked for", `((?:std::)?get<[^<>]+>\([^()]*\))`),
		fault("bad_function_call", `bad_function_call`, "a function value that is empty was called", ""),
		fault("AddressSanitizer", `([\w-]+) on .*`, "memory was used in a way that is not allowed: $1", ""),
		fault("UndefinedBehaviorSanitizer", `(.+)`, "$1, which the language does not define", ""),
	}
}
