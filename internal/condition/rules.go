package condition

// Rules are what a language says of values, for evaluation. The zero value knows nothing special: null and false do not hold,
// of everything else that is no truth value it is not known whether it holds.
type Rules struct {
	Truth Truth
	// Static says that values of different types are never compared: a number that is compared with a text is none. Otherwise
	// they are just not equal.
	Static bool
	// FloorMod says that % takes the sign of the divisor; otherwise it takes that of the dividend.
	FloorMod bool
	// RoundsVerbs says that %d and its kin print fractions without what is behind the point.
	RoundsVerbs bool
	// Integers says how whole numbers are computed with.
	Integers Integers
	// CountsBytes says that the length of a text is that of its UTF-8 encoding; otherwise only the length of an ASCII text is known.
	CountsBytes bool
	// Types are the names of the language's own types by what values of them are. A type that also takes values of another
	// (truth values that are whole numbers) stands under both; Whole stands for whole numbers, Number for all others.
	Types map[string][]Kind
	// Calls are the functions and methods on texts and numbers that evaluation knows: a function by its path as written
	// ("strings.HasPrefix", "abs"), a method by its name behind a dot (".startswith").
	Calls map[string]Call
}

// Integers says where arithmetic of whole numbers ends to be exact.
type Integers uint8

// The kinds of integer arithmetic.
const (
	// Wrapping integers have a fixed number of bits, 32 at least, and may have no sign: what is negative or larger may have been
	// wrapped around.
	Wrapping Integers = iota
	// Doubles are exact up to 53 bits, and wrap at 32 bits in bit operations.
	Doubles
	// Unbounded integers are always exact.
	Unbounded
)

// Truth says which values hold when they are used as a condition. Each field says that the value does not hold; Known says that the
// fields are stated.
type Truth struct {
	Known       bool
	Zero        bool // the number 0
	EmptyString bool
	EmptyList   bool // a list, map or set without elements
}

// Call is a function that evaluation knows. The first operand of a method is what it is called on.
type Call uint8

// The functions. The texts are those of the operands in order.
const (
	NoCall    Call = iota
	HasPrefix      // a begins with b, or with one of a tuple b
	HasSuffix      // a ends with b, or with one of a tuple b
	Contains       // b is a part or an element of a
	IsDigits       // a is not empty and has only the digits 0 to 9, for an ASCII a
	IsAlpha        // letters only, likewise
	IsAlnum        // letters and digits only, likewise
	IsUpper        // has a letter and none in lower case, likewise
	IsLower        // has a letter and none in upper case, likewise
	IsSpace        // white space only, likewise
	ToLower        // a in lower case
	ToUpper        // a in upper case
	TrimSpace      // a without white space at its ends
	Abs            // the absolute value
	Min            // the least operand
	Max            // the greatest operand
	IndexOf        // where b stands in a, -1 if it does not
	CountOf        // how often b stands in a
	IsInteger      // a is a whole number
	IsNaN          // a is not a number
	ToText         // a as a text
	ToNumber       // a as a number
	EqualFold      // a and b are equal but for case, for ASCII texts
	IsNull         // a is the absent value
)
