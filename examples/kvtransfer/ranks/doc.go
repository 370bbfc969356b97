// Package ranks says which processes of two engines talk to each other, and which heads of a token each moves.
//
// Prefill and decode may have different numbers of ranks: tensor parallel (TP, which shares KV heads out), context parallel (CP, which shares
// pages out, prefill only) and pipeline parallel (PP, which shares layers out; decode has one stage or as many as prefill).
package ranks
