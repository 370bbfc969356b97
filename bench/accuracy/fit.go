package main

import (
	"bytes"
	"fmt"
	"os"
)

// writeWeighings writes a table of what answers were weighed by: the truth's name, whether a site of the best template did raise,
// the features, and the text.
func writeWeighings(path string, results []result) error {
	var b bytes.Buffer
	for i := range results {
		for _, w := range results[i].weighings {
			fmt.Fprintf(&b, "%s\t%t", results[i].name, w.right)
			for _, f := range w.features {
				fmt.Fprintf(&b, "\t%.4g", f)
			}
			fmt.Fprintf(&b, "\t%q\n", cut(w.text))
		}
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
