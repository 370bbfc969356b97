package bootstrap

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/backoff"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// Bounds of a client.
const (
	requestTime     = 5 * time.Second // one request, SGLang's figure
	registerTries   = 5
	maxAnswer       = 16 << 20 // bytes of an answer
	maxErrorText    = 256      // bytes of an error's text that are kept
	idleConnections = 4
)

// Client speaks to bootstrap servers. It is safe for concurrent use.
type Client struct {
	http   *http.Client
	policy backoff.Policy
}

// NewClient returns a client with timeouts of its own. The policy is for registering; see [backoff.Registration].
func NewClient(p backoff.Policy) *Client {
	return &Client{policy: p, http: &http.Client{
		Timeout: requestTime,
		Transport: &http.Transport{
			DialContext:         (&net.Dialer{Timeout: 2 * time.Second}).DialContext,
			MaxIdleConnsPerHost: idleConnections,
			IdleConnTimeout:     30 * time.Second, // an idle connection must not outlive a server's patience and then eat a request
		},
	}}
}

// Close drops idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Register tells the server at addr about a rank, in several tries with growing pauses: ranks often start before their server.
// The error is a *backoff.GaveUpError, or that of ctx.
func (c *Client) Register(ctx context.Context, addr string, r Registration) error {
	return backoff.Retry(ctx, registerTries, c.policy, func(ctx context.Context) error {
		return c.call(ctx, http.MethodPut, addr, "/route", r, nil)
	})
}

// Info asks for the shape of the engine. While ranks are missing the error is a *StatusError with 503.
func (c *Client) Info(ctx context.Context, addr string) (ServerInfo, error) {
	var info ServerInfo
	err := c.call(ctx, http.MethodGet, addr, route(RankKey{-1, -1, -1, -1}), nil, &info)
	if err == nil && (info.Ranks() < 1 || info.Ranks() > maxRanks) {
		err = &AnswerError{Call: "GET " + addr, Cause: &FieldError{Field: "rank_count", Value: info.Ranks(), Least: 1, Max: maxRanks}}
	}
	return info, err
}

// Rank asks for the address of one rank.
func (c *Client) Rank(ctx context.Context, addr string, k RankKey) (RankInfo, error) {
	var info RankInfo
	err := c.call(ctx, http.MethodGet, addr, route(k), nil, &info)
	return info, err
}

// route is the address of GET /route for a rank.
func route(k RankKey) string {
	return "/route?" + url.Values{
		"prefill_dp_rank": {strconv.Itoa(k.DP)}, "prefill_cp_rank": {strconv.Itoa(k.CP)},
		"target_tp_rank": {strconv.Itoa(k.TP)}, "target_pp_rank": {strconv.Itoa(k.PP)},
	}.Encode()
}

// NoteRank tells the server which data-parallel rank has a room.
func (c *Client) NoteRank(ctx context.Context, addr string, n RoomRank) error {
	return c.call(ctx, http.MethodPost, addr, "/register_dp_rank", n, nil)
}

// QueryRanks asks for the data-parallel ranks of rooms. Rooms that the server does not know are missing from the answer.
func (c *Client) QueryRanks(ctx context.Context, addr string, rooms []room.ID) (map[room.ID]int, error) {
	found := make(map[room.ID]int)
	err := c.call(ctx, http.MethodPost, addr, "/query_dp_ranks", RoomList{BootstrapRooms: rooms}, &found)
	return found, err
}

// Health asks whether the server is there.
func (c *Client) Health(ctx context.Context, addr string) error {
	return c.call(ctx, http.MethodGet, addr, "/health", nil, nil)
}

// call makes one request: payload as JSON unless nil, the answer's JSON into into unless nil. The error is a *ReachError,
// a *StatusError or an *AnswerError.
func (c *Client) call(ctx context.Context, method, addr, path string, payload, into any) error {
	name := method + " " + addr + path
	var send io.Reader
	if payload != nil {
		text, err := json.Marshal(payload)
		if err != nil {
			return &ReachError{Call: name, Cause: err}
		}
		send = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://"+addr+path, send)
	if err != nil {
		return &ReachError{Call: name, Cause: err}
	}
	res, err := c.http.Do(req)
	if err != nil {
		return &ReachError{Call: name, Cause: err}
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	switch {
	case err != nil:
		return &ReachError{Call: name, Cause: err}
	case res.StatusCode != http.StatusOK:
		return &StatusError{Call: name, Status: res.StatusCode, Text: firstLine(text)}
	case into == nil:
		return nil
	}
	if err := json.Unmarshal(text, into); err != nil {
		return &AnswerError{Call: name, Cause: err}
	}
	return nil
}

// firstLine is what of a body goes into an error.
func firstLine(text []byte) string {
	line, _, _ := strings.Cut(string(text[:min(len(text), maxErrorText)]), "\n")
	return line
}
