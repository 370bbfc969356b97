package cluster

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/decode"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/prefill"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// caps is room for a few requests of the test's longest, so that others have to wait.
func caps(m layout.Model) layout.Capacity {
	return layout.Capacity{Pages: int64(3 * 700 / m.PageSize), WindowPages: 10, Slots: 6}
}

// v4 is a small model of DeepSeek V4's kind: R2 of the worked examples, narrow so that tests are quick.
func v4() layout.Model {
	return layout.Model{
		Family: layout.Compressed, Ratios: []int{0, 0, 4, 128, 4, 128, 4, 0}, NextN: 1, PageSize: 128,
		HeadDim: 80, RopeDim: 16, IndexDim: 16, StateItemSize: 1,
	}
}

// Every kind of model and of parallelism, several requests at once of every awkward length: every byte is where it should be.
func TestEveryByteArrives(t *testing.T) {
	draft, unified, online := v4(), v4(), v4()
	draft.Draft = true
	unified.Unified = true
	online.OnlineC128 = true
	mha := layout.Model{Family: layout.MHA, Layers: 4, KVHeads: 4, HeadDim: 8, PageSize: 16}
	window := mha
	window.Window, window.WindowPage, window.WindowLayers = 32, 16, []int{1, 3}
	mla := layout.Model{Family: layout.MLA, Layers: 5, HeadDim: 24, RopeDim: 8, PageSize: 16}
	dsa := mla
	dsa.IndexDim = 16
	linear := mla
	linear.LinearLayers, linear.ConvBytes, linear.TemporalBytes = []int{0, 2}, 100, 300
	for name, s := range map[string]Spec{
		"compressed":               {Model: v4()},
		"compressed, 2 stages":     {Model: v4(), PP: 2},
		"compressed, 4 stages":     {Model: v4(), PP: 4},
		"compressed, draft":        {Model: draft, PP: 2},
		"compressed, unified":      {Model: unified, PP: 2},
		"compressed, online":       {Model: online, PP: 2},
		"compressed, 2:2 stages":   {Model: v4(), PP: 2, DecodePP: 2},
		"compressed, TP 2 to 1":    {Model: v4(), PrefillTP: 2},
		"compressed, TP 1 to 2":    {Model: v4(), DecodeTP: 2},
		"compressed, CP 2":         {Model: v4(), CP: 2},
		"compressed, CP 3 sharing": {Model: v4(), CP: 3, AllCP: true},
		"mha":                      {Model: mha, PP: 2},
		"mha, TP 1 to 2":           {Model: mha, DecodeTP: 2},
		"mha, TP 2 to 1":           {Model: mha, PrefillTP: 2, PP: 2},
		"mha, TP 2 to 4":           {Model: mha, PrefillTP: 2, DecodeTP: 4},
		"mha, window":              {Model: window},
		"mla":                      {Model: mla, PP: 4},
		"mla, indexer":             {Model: dsa, PP: 2},
		"mla, linear":              {Model: linear, PP: 2},
		"mla, DCP 2":               {Model: mla, DCP: 2},
		"mla, DCP 4":               {Model: mla, DCP: 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s.PrefillCap, s.DecodeCap = caps(s.Model), caps(s.Model)
			s.Prefill = func(c *prefill.Config) { c.ChunkTokens, c.FrameBytes = 256, 50_000 }
			s.Decode = func(c *decode.Config) { c.Connections = 2 }
			c, err := Start(s)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			}()
			runAll(t, c, requests(s.Model))
			if err := c.Clean(); err != nil {
				t.Errorf("after all requests: %v", err)
			}
		})
	}
}

// requests is one of each awkward length, with and without a prefix.
func requests(m layout.Model) []decode.Request {
	var out []decode.Request
	p := m.PageSize
	for _, tokens := range []int{1, p - 1, p, p + 1, 127, 128, 129, 256, 257, 700} {
		for _, prefix := range []int{0, min(tokens, p), min(tokens, 4*p), tokens} {
			id := room.ID(len(out) + 1)
			out = append(out, decode.Request{Room: id, Tokens: tokens, Prefix: prefix, Checksum: id%3 == 0})
		}
	}
	return out
}

// runAll runs requests at once and expects each to succeed.
func runAll(t *testing.T, c *Cluster, list []decode.Request) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var wg sync.WaitGroup
	for _, r := range list {
		wg.Go(func() {
			if n, err := c.Run(ctx, r); err != nil || n == 0 {
				t.Error(fmt.Errorf("%+v: %d bytes: %w", r, n, err))
			}
		})
	}
	wg.Wait()
}
