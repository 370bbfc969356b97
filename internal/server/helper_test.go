package server

import (
	"context"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/index"
	"github.com/wherefore-dev/wherefore/internal/lang/all"
	"github.com/wherefore-dev/wherefore/internal/service"
	"github.com/wherefore-dev/wherefore/internal/source"
)

// slice is the program of most tests: its message tells all that its condition needs.
const slice = `"""Cuts lists."""


class Manager:
    def slice(self, dst, stages, full, half, kind="plain"):
        """Cut the destination list to the stages of this side."""
        if kind in {"ring", "state"}:
            return dst
        if len(dst) == 2 * full + half:
            return dst[:full]
        window = len(dst) - 2 * full
        if window < 0 or window > len(stages):
            # fewer entries are fine: padding may shorten the list
            raise ValueError(
                f"unexpected length {len(dst)}; expected {2 * full + half} or window + {2 * full} "
                f"(full={full}, half={half}, total={len(stages)})"
            )
        return dst[window:]


def transfer(manager, dst, stages):
    return manager.slice(dst, stages, 3, 2)


def check(port):
    if port < 1 or port > 65535:
        raise ValueError(f"port {port} is not between 1 and 65535")


def twin_a(name):
    raise LookupError(f"the entry {name} is not in the table of twins")


def twin_b(name):
    raise LookupError(f"the entry {name} is not in the table of twins")
`

const (
	report = "ValueError: unexpected length 15; expected 8 or window + 6 (full=3, half=2, total=8)"
	twins  = "LookupError: the entry seven is not in the table of twins"
)

// place is a catalog in a folder of its own, with the sources beside it.
type place struct {
	t       testing.TB
	root    string
	catalog string
}

func newPlace(t testing.TB, files map[string]string) *place {
	t.Helper()
	p := &place{t, filepath.Join(t.TempDir(), "src"), filepath.Join(t.TempDir(), "catalog.db")}
	p.write(files)
	p.index()
	return p
}

func (p *place) write(files map[string]string) {
	p.t.Helper()
	for name, text := range files {
		path := filepath.Join(p.root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			p.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			p.t.Fatal(err)
		}
	}
}

// index brings the catalog up to date with the files.
func (p *place) index() {
	p.t.Helper()
	if err := p.tryIndex(); err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) tryIndex() error {
	ctx := context.Background()
	repo, err := source.Open(ctx, p.root, source.Options{Languages: index.Files(all.Languages())})
	if err != nil {
		return err
	}
	defer repo.Close()
	c, err := catalog.OpenWrite(ctx, p.catalog, nil)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := index.Run(ctx, index.Options{Catalog: c, Repo: repo, Name: "owner/kv", Languages: all.Languages(), Workers: 1}); err != nil {
		return err
	}
	return index.BuildMatch(ctx, c)
}

func (p *place) service(o service.Options) *service.Service {
	p.t.Helper()
	o.Languages, o.Traces = all.Languages(), all.Traces()
	o.Sources = index.NewSources(o.Languages, p.t.TempDir())
	s, err := service.Open(context.Background(), p.catalog, o)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		if err := s.Close(); err != nil {
			p.t.Error(err)
		}
	})
	return s
}

// serve starts a server over the place.
func (p *place) serve(o Options) *httptest.Server {
	p.t.Helper()
	srv, err := New(p.service(service.Options{}), o)
	if err != nil {
		p.t.Fatal(err)
	}
	h := httptest.NewServer(srv.Handler())
	p.t.Cleanup(h.Close)
	return h
}

func kv(t *testing.T) *place { return newPlace(t, map[string]string{"kv.py": slice}) }
