package layout

// Geometry of a compressed model's pools. The figures are those of DeepSeek V4 (head dimension 512, rotary part 64, indexer 128),
// from which the general formulas follow: 584 bytes a row, 37,440 bytes a page of 64 rows.

const (
	// pageAlign is what a page of compressed rows is padded to: the size of a row without its scales.
	pageAlign = 576
	// scaleBlock is how many 8-bit elements share one scale byte.
	scaleBlock = 64
	// scaleAlign is what the scales of a row are padded to.
	scaleAlign = 8
	// ropeItemSize is the element size of the rotary part, and of a unified buffer.
	ropeItemSize = 2
	// indexScale is the bytes of the scale that follows an indexer key.
	indexScale = 4
	// ratioC4 and ratioC128 are the two compression ratios.
	ratioC4   = 4
	ratioC128 = 128
	// stateRing and stateRingDraft are the rows of a 4:1 compress state ring without and with a draft model.
	stateRing      = 8
	stateRingDraft = 16
)

// shape is the size of one item: rows of rowLen bytes, then padding up to item.
type shape struct{ rows, rowLen, item int64 }

// rowsOf is the shape of n rows without padding.
func rowsOf(n, rowLen int64) shape { return shape{n, rowLen, n * rowLen} }

// whole is the shape of an indivisible item.
func whole(n int64) shape { return shape{1, n, n} }

// roundUp is n rounded up to a multiple of to.
func roundUp(n, to int64) int64 { return (n + to - 1) / to * to }

// latentRow is the bytes of one latent row: 8-bit elements, the rotary part in 16 bits, and padded scales.
func (m *Model) latentRow() int64 {
	plain := int64(m.HeadDim - m.RopeDim)
	return plain + int64(m.RopeDim)*ropeItemSize + roundUp(roundUp(plain, scaleBlock)/scaleBlock, scaleAlign)
}

// latentPage is the shape of a page of n latent rows: padded, but in a unified buffer plain 16-bit rows.
func (m *Model) latentPage(n int64) shape {
	if m.Unified {
		return rowsOf(n, m.ringRow())
	}
	row := m.latentRow()
	return shape{n, row, roundUp(n*row, pageAlign)}
}

// ringRow is the bytes of a row of a unified buffer.
func (m *Model) ringRow() int64 { return int64(m.HeadDim) * ropeItemSize }

// c4Page, c128Page and windowPage are pages of the three latent pools.
func (m *Model) c4Page() shape     { return m.latentPage(int64(m.PageSize / ratioC4)) }
func (m *Model) c128Page() shape   { return m.latentPage(int64(m.PageSize / ratioC128)) }
func (m *Model) windowPage() shape { return m.latentPage(int64(m.WindowPage)) }

// indexRow is the bytes of an indexer key with its scale.
func (m *Model) indexRow() int64 {
	if m.IndexFP4 {
		return int64(m.IndexDim)/2 + indexScale
	}
	return int64(m.IndexDim) + indexScale
}

// ring is the rows of a 4:1 compress state.
func (m *Model) ring() int64 {
	if m.Draft {
		return stateRingDraft
	}
	return stateRing
}

// c4State is the ring of a 4:1 compressor over dim elements: values and scores of two overlapping windows.
func (m *Model) c4State(dim int) shape {
	return whole(2 * 2 * int64(dim) * int64(m.StateItemSize) * m.ring())
}

// c128State is one item of 128:1 compress state: a running row, or a page of 128 rows.
func (m *Model) c128State() shape {
	elem := int64(m.HeadDim) * int64(m.StateItemSize)
	if m.OnlineC128 {
		return whole(3 * elem)
	}
	return whole(ratioC128 * 2 * elem)
}

// C128Ring is how many positions of 128:1 compress state a request keeps when it is not online: whole pages of 128 rows.
func (m *Model) C128Ring() int {
	if m.Draft {
		return 2 * ratioC128
	}
	return ratioC128
}

// latentToken is the bytes of one token of plain MLA.
func (m *Model) latentToken() int64 { return int64(m.HeadDim+m.RopeDim) * int64(m.ItemSize) }

// HeadsPerRank is how many KV heads a rank of a tensor-parallel group holds: an equal share, but at least one, so that heads are
// copied where there are more ranks than heads.
func HeadsPerRank(heads, tp int) int { return max(1, heads/tp) }
