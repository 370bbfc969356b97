package layout

// Limits on pools, which may come from a peer.
const (
	maxRegions    = 1 << 16
	maxComponents = 1 << 8
)

// Check refuses a pool that no Build has made, as a peer might send it: numbers out of bounds, regions whose id is not their
// position or whose rows do not fit an item, counts of layers that are not one per region. Everything that plans with
// a checked pool is free of overflow. The error is a *PoolError.
func (p *Pool) Check() error {
	if n := len(p.State); n > maxComponents {
		return &PoolError{"pool", "number of components", int64(n)}
	}
	for _, f := range []struct {
		field           string
		value, min, max int
	}{
		{"page_size", p.PageSize, 1, maxPageSize},
		{"stage start", p.Stage.Start, 0, maxLayers},
		{"stage end", p.Stage.End, Unset, maxLayers},
		{"tp", p.Parallel.TP, 1, maxHeads},
		{"tp_rank", p.Parallel.TPRank, 0, p.Parallel.TP - 1},
		{"layers", p.Layers, 0, maxLayers},
		{"number of ratios", len(p.Ratios), 0, maxLayers},
		{"kv_heads", p.KVHeads, 0, maxHeads},
	} {
		if f.value < f.min || f.value > f.max {
			return &PoolError{"pool", f.field, int64(f.value)}
		}
	}
	next := 0
	for i, list := range p.lists() {
		if next+len(list) > maxRegions {
			return &PoolError{"pool", "number of regions", int64(next + len(list))}
		}
		for _, r := range list {
			if field, value := r.check(next); field != "" {
				return &PoolError{r.Name, field, value}
			}
			next++
		}
		if ids := p.layerIDs(i); ids != nil && len(ids) != len(list) {
			return &PoolError{"pool", "number of layer ids", int64(len(ids))}
		}
	}
	return nil
}

// layerIDs is the published layers of list i of lists.
func (p *Pool) layerIDs(i int) []int {
	switch {
	case i == 0:
		return p.KVLayerIDs
	case i <= len(p.State):
		return p.State[i-1].LayerIDs
	}
	return nil
}

// check names the first field of a region that is wrong, and its value.
func (r *Region) check(id int) (string, int64) {
	switch {
	case int64(r.ID) != int64(id):
		return "id", int64(r.ID)
	case r.ItemLen < 1 || r.ItemLen > maxRegion:
		return "item_len", r.ItemLen
	case r.Items < 0 || r.Items > maxRegion/r.ItemLen:
		return "items", r.Items
	case r.Rows < 1 || r.Rows > r.ItemLen:
		return "rows", r.Rows
	case r.RowLen < 1 || r.RowLen > r.ItemLen/r.Rows:
		return "row_len", r.RowLen
	}
	return "", 0
}
