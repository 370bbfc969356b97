package golang

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/golang/oracle"
)

// Every call of errors.New, fmt.Errorf and panic that the type checker finds is a site. The benchmark holds the whole standard
// library to it; here are a few packages of different kinds.
func TestNothingIsMissed(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	extract := newExtractor()
	for _, dir := range []string{"net/http", "reflect", "encoding/json", "cmd/go/internal/load", "text/template/parse"} {
		files, err := oracle.Folder(filepath.Join(strings.TrimSpace(string(root)), "src", dir))
		if err != nil {
			t.Fatal(err)
		}
		calls := 0
		for _, f := range files {
			calls += len(f.Calls)
			for _, m := range oracle.Missing(f.Calls, extract(f.Src, lang.Options{}).Sites) {
				t.Errorf("%s:%d: %s is not a site", f.Path, m.Line, m.Name)
			}
		}
		if calls == 0 {
			t.Errorf("%s: no call of the three", dir)
		}
	}
}
