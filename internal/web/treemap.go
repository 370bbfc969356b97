package web

import (
	"path"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/visible"
)

// treemap is the drawing of folders, as large as they hold errors.
type treemap struct {
	Width, Height int
	Groups        []mapCell
}

// mapCell is a folder or file in a treemap.
type mapCell struct {
	X, Y, W, H float64
	Path       string
	Name       string // shortened to fit; "" where none does
	Errors     int
	Shade      int  // which of the colours
	Group      bool // of the first level
	Cells      []mapCell
}

// The measures of the drawing, and how many colours there are.
const (
	maxGroups  = 24
	maxCells   = 12 // in a group
	headerSize = 20
	shades     = 6
)

// drawTreemap draws one or two levels of folders; nil if there are fewer than two things to tell apart.
func drawTreemap(root *api.Folder, width, height, levels int) *treemap {
	folders := root.Folders
	for len(folders) == 1 && len(folders[0].Folders) > 1 {
		root, folders = &folders[0], folders[0].Folders
	}
	if len(folders) < 2 {
		return nil
	}
	m := &treemap{Width: width, Height: height}
	m.Groups = squarify(folders, maxGroups, 0, 0, float64(width), float64(height))
	for i := range m.Groups {
		g := &m.Groups[i]
		g.Shade, g.Group = i%shades, true
		inner := folders[i].Folders
		g.label(strings.TrimSuffix(strings.TrimPrefix(g.Path, root.Path), "/"))
		if levels < 2 || len(inner) < 2 || g.W < 60 || g.H < 54 {
			continue
		}
		g.Cells = squarify(inner, maxCells, g.X+3, g.Y+headerSize, g.W-6, g.H-headerSize-3)
		for k := range g.Cells {
			g.Cells[k].Shade = g.Shade
			g.Cells[k].label(path.Base(g.Cells[k].Path))
		}
	}
	return m
}

// label writes the name where it fits.
func (c *mapCell) label(name string) {
	room := int((c.W - 10) / 7)
	if c.H < 18 || room < 3 {
		return
	}
	c.Name = cut(visible.Text(name), room)
}

// squarify fills a rectangle with cells of areas that follow the numbers of errors, as near to squares as they get; the folders come
// in falling order. Those beyond most are left out: they would be specks.
func squarify(folders []api.Folder, most int, x, y, w, h float64) []mapCell {
	folders = folders[:min(len(folders), most)]
	total := 0
	for i := range folders {
		total += folders[i].Errors
	}
	if total == 0 {
		return nil
	}
	unit := w * h / float64(total)
	var out []mapCell
	for len(folders) > 0 {
		side := min(w, h)
		n, sum := 1, float64(folders[0].Errors)*unit
		for n < len(folders) {
			next := sum + float64(folders[n].Errors)*unit
			if worst(folders[:n+1], unit, next, side) > worst(folders[:n], unit, sum, side) {
				break
			}
			sum = next
			n++
		}
		depth := sum / side
		at := 0.0
		for i := range folders[:n] {
			length := float64(folders[i].Errors) * unit / depth
			c := mapCell{X: round(x), Y: round(y + at), W: round(depth), H: round(length), Path: folders[i].Path, Errors: folders[i].Errors}
			if w < h {
				c = mapCell{X: round(x + at), Y: round(y), W: round(length), H: round(depth), Path: folders[i].Path, Errors: folders[i].Errors}
			}
			out = append(out, c)
			at += length
		}
		if w < h {
			y, h = y+depth, h-depth
		} else {
			x, w = x+depth, w-depth
		}
		folders = folders[n:]
	}
	return out
}

// worst is the greatest ratio of the sides of the cells in a row.
func worst(row []api.Folder, unit, sum, side float64) float64 {
	depth := sum / side
	out := 1.0
	for i := range row {
		length := float64(row[i].Errors) * unit / depth
		out = max(out, length/depth, depth/length)
	}
	return out
}
