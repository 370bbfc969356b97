package ecmascript

import "github.com/wherefore-dev/wherefore/internal/condition"

// rules are what evaluation knows of the values of the three dialects.
func rules() condition.Rules {
	return condition.Rules{
		Truth:    condition.Truth{Known: true, Zero: true, EmptyString: true},
		Integers: condition.Doubles,
		Types: map[string][]condition.Kind{"Number": {condition.Whole, condition.Number}, "String": {condition.Text},
			"Boolean": {condition.Boolean}},
		Calls: map[string]condition.Call{
			".startsWith": condition.HasPrefix, ".endsWith": condition.HasSuffix, ".includes": condition.Contains,
			".toLowerCase": condition.ToLower, ".toUpperCase": condition.ToUpper, ".trim": condition.TrimSpace,
			".indexOf": condition.IndexOf, "Math.abs": condition.Abs, "Math.min": condition.Min, "Math.max": condition.Max,
			"Number.isInteger": condition.IsInteger, "Number.isNaN": condition.IsNaN, "isNaN": condition.IsNaN,
			"String": condition.ToText, "Number": condition.ToNumber,
		},
	}
}
