package explain_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A quantity that the condition rests on is followed back to the constant or the environment variable that it comes from, and no
// further than the definitions say.
func TestSettings(t *testing.T) {
	got := map[string][]string{}
	for _, p := range pagesOf(t, map[string]string{"pool.py": `import os

MAX_PAGES = 64


class Pool:
    SIZE = 8

    def take(self, n, free):
        if n > MAX_PAGES:
            raise ValueError(f"no {n} pages at once")
        limit = int(os.environ.get("POOL_LIMIT", "32"))
        if n > limit:
            raise ValueError(f"{n} pages are more than the limit")
        if n * 2 > self.SIZE:
            raise ValueError(f"{n} pages are twice too large")
        SIZE = free
        if n > SIZE:
            raise ValueError(f"only {n} pages are free")
`, "pool.js": `export function open(n) {
  const port = process.env.POOL_PORT || 8080;
  if (n > port) {
    throw new Error("port " + n + " is too large");
  }
}
`}) {
		var all []string
		for _, s := range p.Configuration {
			all = append(all, s.Kind+" "+s.Name+" = "+s.Default+" sets "+s.Quantity)
		}
		got[p.Template] = all
	}
	want := map[string][]string{
		"no {n} pages at once":              {"constant MAX_PAGES = 64 sets MAX_PAGES"},
		"{n} pages are more than the limit": {`environment POOL_LIMIT = "32" sets limit`},
		"{n} pages are twice too large":     {"constant self.SIZE = 8 sets self.SIZE"},
		"only {n} pages are free":           nil,
		"port {n} is too large":             {"environment POOL_PORT = 8080 sets port"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
