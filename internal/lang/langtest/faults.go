package langtest

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/wherefore-dev/wherefore/internal/lang"
)

// Faults looks up the reports of testdata/faults.txt, an archive, among the faults of a language. Each line of "reports" is a type (or -), a
// message and the line of source that raised it, with " | " between; "want" is what is said of each, and the expressions of the line.
// Every fault of the language must have a report. With UPDATE=1 in the environment the wanted file is rewritten.
func Faults(t *testing.T, l *lang.Language) {
	t.Helper()
	const path = "testdata/faults.txt"
	ar, err := txtar.ParseFile(path)
	if err != nil || len(ar.Files) != 2 || ar.Files[0].Name != "reports" || ar.Files[1].Name != "want" {
		t.Fatalf("%s: not the files reports and want (%v)", path, err)
	}
	used := map[*lang.Fault]bool{}
	var got strings.Builder
	for report := range strings.Lines(string(ar.Files[0].Data)) {
		parts := strings.SplitN(strings.TrimSuffix(report, "\n"), " | ", 3)
		if len(parts) != 3 {
			t.Fatalf("%s: %q is not type | message | line", path, report)
		}
		f, groups, ok := l.FaultOf(strings.TrimPrefix(parts[0], "-"), parts[1])
		if !ok {
			got.WriteString("none\n")
			continue
		}
		used[f] = true
		got.WriteString(f.Say(groups) + " | " + strings.Join(f.Expressions(parts[2], groups), "  ") + "\n")
	}
	for i := range l.Faults {
		if f := &l.Faults[i]; !used[f] {
			t.Errorf("no report of %s %q", f.Type, f.Says)
		}
	}
	if os.Getenv("UPDATE") != "" {
		ar.Files[1].Data = []byte(got.String())
		if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(string(ar.Files[1].Data), got.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}
