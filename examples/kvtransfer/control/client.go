package control

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// Bounds of an answer.
const (
	maxAnswer    = 1 << 20 // bytes
	maxErrorText = 4096    // bytes of an error's text that are kept
)

// Client speaks to control servers. Times are those of the caller's context. It is safe for concurrent use.
type Client struct{ http *http.Client }

// NewClient returns a client that keeps that many connections to a rank at rest.
func NewClient(connections int) *Client {
	return &Client{&http.Client{Transport: &http.Transport{
		DialContext:         (&net.Dialer{Timeout: 2 * time.Second}).DialContext,
		MaxIdleConnsPerHost: connections,
		IdleConnTimeout:     30 * time.Second,
	}}}
}

// Close drops connections at rest.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Submit gives a request, a prefill.Request or a decode.Request, to the rank at addr. Errors of all calls are a *ReachError, a
// *StatusError with the rank's own words, or an *AnswerError.
func (c *Client) Submit(ctx context.Context, addr string, request any) error {
	return c.call(ctx, http.MethodPost, addr, "/requests", request, nil)
}

// Room asks how a room stands, and waits up to a time for its end.
func (c *Client) Room(ctx context.Context, addr string, id room.ID, wait time.Duration) (Outcome, error) {
	var o Outcome
	err := c.call(ctx, http.MethodGet, addr, fmt.Sprintf("/rooms/%d?wait=%s", id, min(wait, maxWait)), nil, &o)
	return o, err
}

// Abort fails a room that is open on the rank.
func (c *Client) Abort(ctx context.Context, addr string, id room.ID) error {
	return c.call(ctx, http.MethodDelete, addr, fmt.Sprintf("/rooms/%d", id), nil, nil)
}

// Stats returns the rank's figures, a prefill.Stats or a decode.Stats, as JSON.
func (c *Client) Stats(ctx context.Context, addr string) (json.RawMessage, error) {
	var raw json.RawMessage
	err := c.call(ctx, http.MethodGet, addr, "/stats", nil, &raw)
	return raw, err
}

// Break prepares a fault on the rank's connections.
func (c *Client) Break(ctx context.Context, addr string, f Fault) error {
	return c.call(ctx, http.MethodPost, addr, "/faults", f, nil)
}

// Clean asks a decode rank whether memory that nobody holds is as it was. The error says so where it is not.
func (c *Client) Clean(ctx context.Context, addr string) error {
	return c.call(ctx, http.MethodGet, addr, "/clean", nil, nil)
}

// call makes one request.
func (c *Client) call(ctx context.Context, method, addr, path string, payload, into any) error {
	call := method + " " + addr + path
	var in io.Reader
	if payload != nil {
		text, err := json.Marshal(payload)
		if err != nil {
			return &ReachError{Call: call, Cause: err}
		}
		in = bytes.NewReader(text)
	}
	q, err := http.NewRequestWithContext(ctx, method, "http://"+addr+path, in)
	if err != nil {
		return &ReachError{Call: call, Cause: err}
	}
	res, err := c.http.Do(q)
	if err != nil {
		return &ReachError{Call: call, Cause: err}
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return &ReachError{Call: call, Cause: err}
	}
	if res.StatusCode/100 != 2 {
		return &StatusError{Call: call, Status: res.StatusCode, Text: firstLine(text)}
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(text, into); err != nil {
		return &AnswerError{Call: call, Cause: err}
	}
	return nil
}

// firstLine is the first line of a text, shortened.
func firstLine(text []byte) string {
	line, _, _ := strings.Cut(string(text[:min(len(text), maxErrorText)]), "\n")
	return line
}
