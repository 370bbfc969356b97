package main

import (
	"fmt"
	"math"
	"os"
	"strings"
	"time"
)

// report writes the tables.
func report(results []result) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# What find answers on errors that really happened

Made by %s on %s; machine: %s.

Python: tests of the standard library under a recorder (%s); every exception that a raise or assert statement starts. Go: tests of
the standard library with errors.New and fmt.Errorf instrumented. JavaScript: tests of npm packages (%s), loaded
through a recorder that notes what their throw statements throw and what their callbacks are given. C++: tests of nlohmann/json, linked with
a throw function that notes who calls it; its lines are those of the program's own line table. What tests themselves raise, and
what dependencies made, is left out. At most %d records of one line. Messages of sites that print nothing but a value cannot be known
by their text; they are counted apart.

`, "`make accuracy`", time.Now().Format(time.DateOnly), machine(), "`sys.settrace`", strings.Join(npmPackages(), ", "), maxSite)
	b.WriteString("| message alone | aim |")
	for _, r := range results {
		fmt.Fprintf(&b, " %s |", r.name)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---:|", len(results)) + "\n")
	row := func(name, aim string, f func(*result) string) {
		fmt.Fprintf(&b, "| %s | %s |", name, aim)
		for i := range results {
			fmt.Fprintf(&b, " %s |", f(&results[i]))
		}
		b.WriteByte('\n')
	}
	row("errors looked up, of sites", "", func(r *result) string { return fmt.Sprintf("%d of %d", r.alone.n, r.sites) })
	row("right site first, or in a declared tie that holds it", "≥ 98 %", func(r *result) string { return percent(r.alone.right(), r.alone.n) })
	row("… of these in a tie", "", func(r *result) string { return percent(r.alone.tie, r.alone.n) })
	row("refused", "", func(r *result) string { return percent(r.alone.refused, r.alone.n) })
	row("found, or tied, with a wrong site", "≤ 0.5 %", func(r *result) string { return percent(r.alone.wrong, r.alone.n) })
	row("messages of other projects and prose refused", "≥ 99 %", func(r *result) string { return percent(r.foreign.refused, r.foreign.n) })
	row("messages with one literal word changed refused", "≥ 99 %", func(r *result) string { return percent(r.changed.refused, r.changed.n) })
	row("bindings exact, where the recorder has the local", "≥ 97 %", func(r *result) string { return percent(r.exact, r.bindings) })
	row("verdict of the condition false where it did raise", "0", func(r *result) string { return fmt.Sprintf("%d of %d", r.falseVerdict, r.judged) })
	row("with its traceback: right site first", "≥ 99.5 %", func(r *result) string { return percent(r.traced.first, r.traced.n) })
	row("value alone, no text: right or tied / refused / wrong", "", func(r *result) string {
		return fmt.Sprintf("%d / %d / %d", r.valueOnly.right(), r.valueOnly.refused, r.valueOnly.wrong)
	})
	b.WriteString("\n## Reliability\n\nAnswers by the probability that they state (of all candidates together), and how often the true site was among them;\nnegatives included.\n\n| probability | answers | stated | right |\n|---|---:|---:|---:|\n")
	all := bins()
	n, off := 0, 0.0
	for i := range all {
		for _, r := range results {
			all[i].n += r.reliability[i].n
			all[i].right += r.reliability[i].right
			all[i].sum += r.reliability[i].sum
		}
		if all[i].n == 0 {
			continue
		}
		stated, right := all[i].sum/float64(all[i].n), float64(all[i].right)/float64(all[i].n)
		fmt.Fprintf(&b, "| from %.2f | %d | %.3f | %.3f |\n", all[i].low, all[i].n, stated, right)
		n += all[i].n
		off += math.Abs(stated-right) * float64(all[i].n)
	}
	if n > 0 {
		fmt.Fprintf(&b, "\nExpected calibration error: %.3f (aim ≤ 0.02).\n", off/float64(n))
	}
	for _, r := range results {
		for i, w := range r.wrong {
			if os.Getenv("WRONG") != "" && i < 60 {
				fmt.Fprintln(os.Stderr, r.name, w)
			}
		}
	}
	return b.String()
}

func percent(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f %% (%d of %d)", 100*float64(n)/float64(of), n, of)
}
