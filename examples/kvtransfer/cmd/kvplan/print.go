package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/plan"
)

// printPool prints every region, list by list.
func printPool(w io.Writer, p *layout.Pool) {
	fmt.Fprintf(w, "%s, stage %d:%d of %d layers, pages of %d tokens\n", p.Family, p.Stage.Start, p.Stage.End, p.Layers, p.PageSize)
	printRegions(w, "kv", p.KV)
	for i, c := range p.State {
		printRegions(w, fmt.Sprintf("state %d, %s", i, c.Type), c.Regions)
	}
	printRegions(w, "aux", p.Aux)
	fmt.Fprintf(w, "digest %s\n", p.Digest)
}

// printRegions prints one list.
func printRegions(w io.Writer, title string, list []layout.Region) {
	fmt.Fprintf(w, "%s: %d regions\n", title, len(list))
	for i, r := range list {
		fmt.Fprintf(w, "  %3d  region %-4d %-28s %8d bytes an item\n", i, r.ID, r.Name, r.ItemLen)
	}
}

// printPlan prints how the lists pair, then the copies.
func printPlan(w io.Writer, src, dst *layout.Pool, p *plan.Pairing, pl *plan.Plan, most int) {
	for _, l := range append([]plan.List{p.KV}, p.States...) {
		fmt.Fprintf(w, "%s: %d regions, decode's list read as %s\n", l.Type, len(l.Entries), l.Reading)
		for _, e := range l.Entries {
			s, _ := src.Region(e.Src)
			d, _ := dst.Region(e.Dst)
			fmt.Fprintf(w, "  region %-4d %-28s -> region %-4d %-28s %8d bytes each\n", e.Src, s.Name, e.Dst, d.Name, e.Length)
		}
	}
	fmt.Fprintf(w, "%s: %d regions, one to one\n", p.Aux.Type, len(p.Aux.Entries))
	fmt.Fprintf(w, "%d copies, %d bytes\n", pl.Len(), pl.Bytes())
	for c := range pl.All() {
		if most == 0 {
			fmt.Fprintln(w, "  …")
			return
		}
		most--
		fmt.Fprintf(w, "  region %d + %d -> region %d + %d: %d bytes\n", c.SrcRegion, c.SrcOffset, c.DstRegion, c.DstOffset, c.Length)
	}
}

// printRefusal prints why two sides cannot be paired: the error, then what it follows from.
func printRefusal(w io.Writer, src, dst *layout.Pool, opt plan.Options, err error) {
	fmt.Fprintln(w, err)
	var mixed *plan.LayoutError
	if errors.As(err, &mixed) {
		for _, d := range mixed.Differences {
			fmt.Fprintf(w, "  %s: %q on prefill, %q on decode\n", d.Name, d.Ours, d.Theirs)
		}
		if late := asSGLang(src, dst, opt, err); late != nil {
			fmt.Fprintf(w, "Without this check: %v\n", late)
			err = late
		} else {
			fmt.Fprintln(w, "Without this check, the lists would have been paired in silence.")
		}
	}
	var list *plan.ListError
	if errors.As(err, &list) {
		fmt.Fprintf(w, "Accepted lengths of decode's %s list: %s.\n", list.Query.Type, lengths(list.Query.Accepted()))
	}
}

// planObject is what kvplan plan --json prints.
type planObject struct {
	Lists  []listObject `json:"lists,omitempty"`
	Copies []plan.Copy  `json:"copies,omitempty"`
	Count  int          `json:"count"` // of copies, printed or not
	Bytes  int64        `json:"bytes"`
	Error  *planRefusal `json:"error,omitempty"`
}

// listObject is a pair of lists.
type listObject struct {
	Type    layout.StateType `json:"type"`
	Reading string           `json:"read_as"`
	Entries []entryObject    `json:"entries"`
}

// entryObject is a pair of regions.
type entryObject struct {
	Src     layout.RegionID `json:"src_region"`
	SrcName string          `json:"src_name"`
	Dst     layout.RegionID `json:"dst_region"`
	DstName string          `json:"dst_name"`
	Length  int64           `json:"length"`
}

// planRefusal is why two sides cannot be paired.
type planRefusal struct {
	errorObject
	Differences []layout.Difference `json:"differences,omitempty"`
	Accepted    any                 `json:"accepted,omitempty"` // lengths of decode's list
}

// planAnswer makes the object: at most most copies, all for -1.
func planAnswer(src, dst *layout.Pool, p *plan.Pairing, pl *plan.Plan, most int, err error) planObject {
	if err != nil {
		e := &planRefusal{errorObject: *errorAnswer(err)}
		var mixed *plan.LayoutError
		var list *plan.ListError
		switch {
		case errors.As(err, &mixed):
			e.Differences, e.Figures = mixed.Differences, nil
		case errors.As(err, &list):
			e.errorObject, e.Accepted = *errorAnswer(list.Err), list.Query.Accepted()
		}
		return planObject{Error: e}
	}
	o := planObject{Count: pl.Len(), Bytes: pl.Bytes()}
	lists := append([]plan.List{p.KV}, p.States...)
	for _, l := range append(lists, p.Aux) {
		lo := listObject{Type: l.Type, Reading: string(l.Reading), Entries: []entryObject{}}
		for _, e := range l.Entries {
			s, _ := src.Region(e.Src)
			d, _ := dst.Region(e.Dst)
			lo.Entries = append(lo.Entries, entryObject{e.Src, s.Name, e.Dst, d.Name, e.Length})
		}
		o.Lists = append(o.Lists, lo)
	}
	for c := range pl.All() {
		if len(o.Copies) == most {
			break
		}
		o.Copies = append(o.Copies, c)
	}
	return o
}
