package cli

import (
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/wherefore-dev/wherefore/internal/index"
)

// bar shows the progress of one revision: a bar on a terminal, a line for each phase elsewhere, nothing when quiet.
type bar struct {
	w     io.Writer
	pool  *mpb.Progress
	bar   *mpb.Bar
	rev   string
	phase string
	now   atomic.Pointer[index.Progress] // what the bar's words are made from, when it draws itself
}

func (a *app) progress(rev string) *bar {
	b := &bar{rev: rev}
	switch {
	case a.quiet:
	case terminal(a.stderr):
		b.pool = mpb.New(mpb.WithOutput(a.stderr), mpb.WithAutoRefresh())
	default:
		b.w = a.stderr
	}
	return b
}

// update is called by one worker at a time.
func (b *bar) update(p index.Progress) {
	switch {
	case b.pool != nil:
		b.now.Store(&p)
		b.draw(&p)
	case b.w != nil && p.Phase != b.phase:
		fmt.Fprintln(b.w, b.title(&p))
	}
	b.phase = p.Phase
}

func (b *bar) draw(p *index.Progress) {
	if b.bar == nil {
		words := func(f func(*index.Progress) string) decor.Decorator {
			return decor.Any(func(decor.Statistics) string { return f(b.now.Load()) })
		}
		// The bar stays until the revision is saved, whose work is counted as one more file.
		b.bar = b.pool.AddBar(0, mpb.PrependDecorators(words(func(p *index.Progress) string { return b.title(p) + " " })),
			mpb.AppendDecorators(words(func(p *index.Progress) string { return fmt.Sprintf("%d of %d files ", p.Done, p.Files) }),
				decor.AverageETA(decor.ET_STYLE_GO)))
	}
	if p.Files > 0 {
		b.bar.SetTotal(int64(p.Files)+1, false)
	}
	b.bar.SetCurrent(int64(p.Done))
}

// title names what is going on.
func (b *bar) title(p *index.Progress) string {
	name := map[string]string{"list": "listing files", "read": "reading files", "link": "linking", "save": "saving"}[p.Phase]
	return strings.TrimSpace(name + " " + b.rev)
}

// done takes the bar away.
func (b *bar) done() {
	if b.bar != nil {
		b.bar.Abort(true)
	}
	if b.pool != nil {
		b.pool.Wait()
	}
}
