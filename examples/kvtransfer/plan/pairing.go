package plan

import (
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/dcp"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/ranks"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/slice"
)

// Options say how two pools are paired. The zero value is what a service should use.
type Options struct {
	// Rule is the rule for compressed lists. Default slice.New.
	Rule slice.Rule
	// Mode Strict, the default, pairs state components by type, and refuses pools whose digests differ and pairs of regions whose
	// names do. Compatible does as SGLang does: components by position, and whatever entries the rule picks.
	Mode slice.Mode
	// Stages is the number of pipeline stages of the source engine. Default 1.
	Stages int
	// SrcDCP and DstDCP are the places of both sides in decode context parallelism. Default: none.
	SrcDCP, DstDCP dcp.Place
}

// List is a pair of lists: the source's, and those regions of the destination that belong to it.
type List struct {
	Type    layout.StateType
	Reading slice.Reading // how the destination's list was understood; AsIDs where both sides say layers
	Entries []Entry
	// per is how many units an item has: 1 where items move whole, else its rows.
	per int64
	// src and dst are the smallest regions of either side, which bound the items of a run.
	src, dst layout.Region
}

// AsIDs is the reading of lists that were paired by layer ids.
const AsIDs slice.Reading = "layer ids"

// Pairing is two pools whose lists are paired. It is safe for concurrent use.
type Pairing struct {
	KV     List
	States []List // one for every component of the source
	Aux    List

	opt      Options
	relayout bool // tokens are dealt out to context-parallel ranks
	pageSize int
}

// Pair pairs the lists of a source with those of a destination. Errors are the typed ones of this package, of slice, pairs, ranks and
// dcp, and *layout.PoolError.
func Pair(src, dst *layout.Pool, opt Options) (*Pairing, error) {
	opt.fill()
	if err := agree(src, dst, opt); err != nil {
		return nil, err
	}
	relayout, err := dcp.Relayout(opt.SrcDCP, opt.DstDCP)
	if err != nil {
		return nil, err
	}
	p := &Pairing{opt: opt, relayout: relayout, pageSize: src.PageSize}
	m := matcher{src, dst, opt}
	if p.KV, err = m.kv(relayout); err != nil {
		return nil, err
	}
	for i := range src.State {
		list, err := m.state(i)
		if err != nil {
			return nil, err
		}
		if relayout && list.Type != layout.Mamba && len(list.Entries) > 0 {
			return nil, &StateDCPError{list.Type}
		}
		p.States = append(p.States, list)
	}
	if p.Aux, err = m.aux(); err != nil {
		return nil, err
	}
	return p, nil
}

// fill sets defaults.
func (o *Options) fill() {
	if o.Rule == "" {
		o.Rule = slice.New
	}
	if o.Mode == "" {
		o.Mode = slice.Strict
	}
	o.Stages = max(o.Stages, 1)
	o.SrcDCP.Size = max(o.SrcDCP.Size, 1)
	o.DstDCP.Size = max(o.DstDCP.Size, 1)
}

// agree refuses pools that have no business with each other.
func agree(src, dst *layout.Pool, opt Options) error {
	for _, p := range []*layout.Pool{src, dst} {
		if err := p.Check(); err != nil {
			return err
		}
	}
	if src.PageSize != dst.PageSize {
		return &PageSizeError{src.PageSize, dst.PageSize}
	}
	if opt.Mode != slice.Strict {
		return nil
	}
	if src.Digest != dst.Digest {
		return &LayoutError{src.Digest, dst.Digest, src.Signature.Diff(dst.Signature)}
	}
	if from, to := src.Parallel, dst.Parallel; src.Family == layout.MHA && !ranks.Meet(from.TP, from.TPRank, to.TP, to.TPRank) {
		return &PeerError{from, to}
	}
	return nil
}

// matcher pairs the lists of two pools.
type matcher struct {
	src, dst *layout.Pool
	opt      Options
}

// unequalTP tells that KV heads are shared out differently on both sides. A latent is whole on every rank.
func (m *matcher) unequalTP() bool {
	return m.src.Family == layout.MHA && m.src.Parallel.TP != m.dst.Parallel.TP
}

// query asks the slicer for a list of the source.
func (m *matcher) query(t layout.StateType, src, dst int) slice.Query {
	return slice.Query{
		Family: m.src.Family, Type: t, Ratios: m.src.Ratios, Stage: m.src.Stage, Src: src, Dst: dst, Layers: m.src.Layers,
		Rule: m.opt.Rule, Mode: m.opt.Mode,
	}
}
