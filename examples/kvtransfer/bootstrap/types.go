package bootstrap

import (
	"net"
	"strconv"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// Registration is what a prefill rank tells the server about itself: the payload of PUT /route.
type Registration struct {
	AttnTPSize   int `json:"attn_tp_size"`
	AttnTPRank   int `json:"attn_tp_rank"`
	AttnCPSize   int `json:"attn_cp_size"`
	AttnCPRank   int `json:"attn_cp_rank"`
	AttnDPSize   int `json:"attn_dp_size"`
	AttnDPRank   int `json:"attn_dp_rank"`
	PPSize       int `json:"pp_size"`
	PPRank       int `json:"pp_rank"`
	SystemDPSize int `json:"system_dp_size"`
	SystemDPRank int `json:"system_dp_rank"`

	RankIP   string `json:"rank_ip"`   // where the rank listens for decode ranks
	RankPort int    `json:"rank_port"` // 1 to 65535

	PageSize                 int    `json:"page_size"`      // tokens
	KVCacheDtype             string `json:"kv_cache_dtype"` // both sides must name the same
	LoadBalanceMethod        string `json:"load_balance_method"`
	EnableDSACacheLayerSplit bool   `json:"enable_dsa_cache_layer_split"`
	PrefillHTTPPort          int    `json:"prefill_http_port"` // the rank's control port
}

// FollowRoom is the load-balance method by which a room's number decides its data-parallel rank.
const FollowRoom = "follow_bootstrap_room"

// RankKey is a rank's place in its engine.
type RankKey struct{ DP, CP, TP, PP int }

// key is the place that the registration claims. Where the system runs several engines, those are the data-parallel ranks.
func (r *Registration) key() RankKey {
	dp := r.AttnDPRank
	if r.SystemDPSize > 1 {
		dp = r.SystemDPRank
	}
	return RankKey{DP: dp, CP: r.AttnCPRank, TP: r.AttnTPRank, PP: r.PPRank}
}

// shape is the engine that the registration claims to be part of.
func (r *Registration) shape() ServerInfo {
	dp := r.AttnDPSize
	if r.SystemDPSize > 1 {
		dp = r.SystemDPSize
	}
	return ServerInfo{
		AttnTPSize: r.AttnTPSize, AttnCPSize: r.AttnCPSize, DPSize: dp, PPSize: r.PPSize,
		PageSize: r.PageSize, KVCacheDtype: r.KVCacheDtype,
		FollowBootstrapRoom:      r.LoadBalanceMethod == FollowRoom,
		EnableDSACacheLayerSplit: r.EnableDSACacheLayerSplit,
	}
}

// ServerInfo is the shape of a prefill engine: the answer to GET /route with four -1.
type ServerInfo struct {
	AttnTPSize               int    `json:"attn_tp_size"`
	AttnCPSize               int    `json:"attn_cp_size"`
	DPSize                   int    `json:"dp_size"`
	PPSize                   int    `json:"pp_size"`
	PageSize                 int    `json:"page_size"`
	KVCacheDtype             string `json:"kv_cache_dtype"`
	FollowBootstrapRoom      bool   `json:"follow_bootstrap_room"`
	EnableDSACacheLayerSplit bool   `json:"enable_dsa_cache_layer_split"`
}

// Ranks is how many ranks the engine has.
func (s ServerInfo) Ranks() int { return s.AttnTPSize * s.AttnCPSize * s.DPSize * s.PPSize }

// RankInfo is where a rank listens.
type RankInfo struct {
	RankIP   string `json:"rank_ip"`
	RankPort int    `json:"rank_port"`
}

// Addr is the address to dial.
func (r RankInfo) Addr() string { return net.JoinHostPort(r.RankIP, strconv.Itoa(r.RankPort)) }

// RoomRank is the payload of POST /register_dp_rank.
type RoomRank struct {
	BootstrapRoom room.ID `json:"bootstrap_room"`
	DPRank        int     `json:"dp_rank"`
}

// RoomList is the payload of POST /query_dp_ranks. The answer maps the rooms that are known, as decimal keys, to ranks.
type RoomList struct {
	BootstrapRooms []room.ID `json:"bootstrap_rooms"`
}
