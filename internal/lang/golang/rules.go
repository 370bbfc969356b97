package golang

import "github.com/wherefore-dev/wherefore/internal/condition"

// rules are what evaluation knows of Go's values.
func rules() condition.Rules {
	whole := []condition.Kind{condition.Whole}
	return condition.Rules{
		Truth:       condition.Truth{Known: true},
		Static:      true,
		CountsBytes: true,
		Types: map[string][]condition.Kind{"int": whole, "int64": whole, "int32": whole, "uint": whole, "uint64": whole,
			"string": {condition.Text}, "bool": {condition.Boolean}, "float64": {condition.Number}},
		Calls: map[string]condition.Call{
			"strings.HasPrefix": condition.HasPrefix, "strings.HasSuffix": condition.HasSuffix, "strings.Contains": condition.Contains,
			"strings.ToLower": condition.ToLower, "strings.ToUpper": condition.ToUpper, "strings.TrimSpace": condition.TrimSpace,
			"strings.Index": condition.IndexOf, "strings.Count": condition.CountOf, "strings.EqualFold": condition.EqualFold,
			"min": condition.Min, "max": condition.Max, "strconv.Itoa": condition.ToText,
		},
	}
}
