package python

import "github.com/wherefore-dev/wherefore/internal/condition"

// rules are what evaluation knows of Python's values.
func rules() condition.Rules {
	return condition.Rules{
		Truth:    condition.Truth{Known: true, Zero: true, EmptyString: true, EmptyList: true},
		FloorMod: true,
		Integers: condition.Unbounded,
		// %d prints a fraction without what is behind the point.
		RoundsVerbs: true,
		Types: map[string][]condition.Kind{"int": {condition.Whole, condition.Boolean}, "float": {condition.Number},
			"str": {condition.Text}, "bool": {condition.Boolean}},
		Calls: map[string]condition.Call{
			".startswith": condition.HasPrefix, ".endswith": condition.HasSuffix, ".isdigit": condition.IsDigits,
			".isalpha": condition.IsAlpha, ".isalnum": condition.IsAlnum, ".isupper": condition.IsUpper, ".islower": condition.IsLower,
			".isspace": condition.IsSpace, ".lower": condition.ToLower, ".upper": condition.ToUpper, ".strip": condition.TrimSpace,
			".find": condition.IndexOf, ".count": condition.CountOf, "abs": condition.Abs, "min": condition.Min, "max": condition.Max,
			"str": condition.ToText,
		},
	}
}
