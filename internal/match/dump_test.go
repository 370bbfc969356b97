package match

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/message"
)

func TestDump(t *testing.T) {
	path := os.Getenv("DUMP")
	if path == "" {
		t.Skip()
	}
	ctx := context.Background()
	c, err := catalog.OpenRead(ctx, os.Getenv("WHEREFORE_CATALOG"))
	if err != nil {
		t.Fatal(err)
	}
	gen, _ := c.Templates(ctx)
	x, err := Open(c.Path()+".match", gen)
	if err != nil {
		t.Fatal(err)
	}
	f := NewFinder(c, x, []*lang.Language{})
	in, _ := os.Open(path)
	sc := bufio.NewScanner(in)
	sc.Buffer(nil, 1<<24)
	out, _ := os.Create(os.Getenv("DUMPOUT"))
	defer out.Close()
	neg := os.Getenv("NEG") != ""
	change := os.Getenv("CHANGE") != ""
	for sc.Scan() {
		var r struct {
			Message, Path string
			Line          int
		}
		json.Unmarshal(sc.Bytes(), &r)
		j := &job{Finder: f, ctx: ctx, options: Options{Limit: 50}}
		res, err := j.one(r.Message, &evidence{length: weight(r.Message)}, message.Folded|message.Cut|message.Redacted)
		if err != nil {
			t.Fatal(err)
		}
		if len(res.options) == 0 {
			continue
		}
		if change {
			changed := ""
			tk := res.options[0]
			eachWord(r.Message, func(a, b int, _ uint32) {
				if changed != "" || b-a < 4 {
					return
				}
				for _, bd := range tk.hit.Match.Bindings {
					if a < bd.End && bd.Start < b {
						return
					}
				}
				changed = r.Message[:a] + "zebra" + r.Message[b:]
			})
			if changed == "" {
				continue
			}
			r.Message = changed
			res, err = j.one(r.Message, &evidence{length: weight(r.Message)}, message.Folded|message.Cut|message.Redacted)
			if err != nil || len(res.options) == 0 {
				continue
			}
		}
		top := &res.options[0]
		label := 0
		for i := range res.options {
			o := &res.options[i]
			if !neg && o.prob >= top.prob/2 && o.unit.File.Path == r.Path && covers(&o.site, r.Line) {
				label = 1
			}
		}
		covered := 1.0
		if w := weight(r.Message); w > 0 {
			covered = float64(top.hit.Match.Weight) / float64(w)
		}
		words := 0
		for range top.variant.Template.Tokens {
			words++
		}
		fmt.Fprintf(out, "%d\t%.2f\t%.3f\t%d\t%d\t%d\t%v\t%v\t%d\t%s\t%s\n", label, top.hit.Bits+top.hit.Fits, covered, words, top.hit.Match.Weight, top.variant.Template.HoleCount(),
			top.hit.Match.Ambiguous, top.hit.Match.Cut || top.hit.Match.Redacted || top.hit.Match.Folded, weight(r.Message), short(r.Message), short(top.variant.Template.Display()))
	}
}

func short(s string) string {
	s = fmt.Sprintf("%q", s)
	if len(s) > 60 {
		s = s[:60]
	}
	return s
}
