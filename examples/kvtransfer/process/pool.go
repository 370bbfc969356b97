package process

import (
	"os"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/ranks"
)

// Pool is the flags that describe what a rank holds.
type Pool struct {
	model, form, stage string

	Capacity       layout.Capacity
	Sizes          ranks.Sizes // of the engine
	TPRank, PPRank int
}

// Define adds the flags.
func (p *Pool) Define(fs *pflag.FlagSet) {
	fs.StringVar(&p.model, "model", "", "file with the JSON description of the model (see models/)")
	fs.StringVar(&p.form, "form", "", "state lists: new (since 2026-06-30) or old; default: as the model says")
	fs.StringVar(&p.stage, "stage", "", "layers START:END of this pipeline stage; default: an even share")
	fs.IntVar(&p.Sizes.PP, "pp", 1, "pipeline stages of the engine")
	fs.IntVar(&p.PPRank, "pp-rank", 0, "the stage of this rank")
	fs.IntVar(&p.Sizes.TP, "tp", 1, "tensor-parallel size of the engine")
	fs.IntVar(&p.TPRank, "tp-rank", 0, "tensor-parallel rank")
	fs.Int64Var(&p.Capacity.Pages, "pages", 256, "pages of the KV cache")
	fs.Int64Var(&p.Capacity.WindowPages, "window-pages", 32, "pages of the window pool")
	fs.Int64Var(&p.Capacity.Slots, "slots", 16, "requests that hold pages at once")
}

// Describe reads the model and says which layers of it are the rank's. The error is a *ModelError or a *StageTextError.
func (p *Pool) Describe() (layout.Model, layout.Stage, error) {
	m, err := p.read()
	if err != nil {
		return layout.Model{}, layout.Stage{}, &ModelError{File: p.model, Cause: err}
	}
	if p.form != "" {
		m.Form = layout.Form(p.form)
	}
	if p.stage != "" {
		st, err := readStage(p.stage)
		return m, st, err
	}
	st, err := layout.Cut(m, p.Sizes.PP, p.PPRank)
	if err != nil {
		return layout.Model{}, layout.Stage{}, &ModelError{File: p.model, Cause: err}
	}
	return m, st, nil
}

// read reads the model's file.
func (p *Pool) read() (layout.Model, error) {
	f, err := os.Open(p.model)
	if err != nil {
		return layout.Model{}, err
	}
	defer f.Close()
	return layout.ReadModel(f)
}

// readStage reads START:END.
func readStage(text string) (layout.Stage, error) {
	from, to, _ := strings.Cut(text, ":")
	start, err1 := strconv.Atoi(from)
	end, err2 := strconv.Atoi(to)
	if err1 != nil || err2 != nil {
		return layout.Stage{}, &StageTextError{Text: text}
	}
	return layout.Stage{Start: start, End: end}, nil
}
