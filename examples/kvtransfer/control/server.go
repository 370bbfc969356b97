package control

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/decode"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/fault"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/prefill"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// Bounds of what a client may ask for.
const (
	maxBody = 64 << 10         // bytes
	maxWait = 10 * time.Minute // in one call
)

// Outcome is how a room stands.
type Outcome struct {
	Room  room.ID    `json:"room"`
	State room.State `json:"state"`
	Error string     `json:"error,omitempty"` // why it failed
	Bytes int64      `json:"bytes,omitempty"` // compared, of a success on a decode rank
}

// Fault is what POST /faults takes.
type Fault struct {
	Kind  fault.Kind `json:"kind"`
	After int64      `json:"after"`         // bytes that a connection still writes before it happens
	For   string     `json:"for,omitempty"` // how long a stall or slow lasts; for ever where it is left out
}

// rank is what the two kinds of engine have in common.
type rank interface {
	submit(*http.Request) error
	outcome(context.Context, room.ID) Outcome
	state(room.ID) (Outcome, error)
	abort(room.ID) bool
	stats() any
}

// newMux returns the routes that every rank has. Faults go to the injector.
func newMux(r rank, inject *fault.Injector) *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /requests", func(w http.ResponseWriter, q *http.Request) {
		q.Body = http.MaxBytesReader(w, q.Body, maxBody)
		if err := r.submit(q); err != nil {
			fail(w, err)
			return
		}
		w.WriteHeader(http.StatusAccepted)
	})
	mux.HandleFunc("GET /rooms/{room}", func(w http.ResponseWriter, q *http.Request) { showRoom(w, q, r) })
	mux.HandleFunc("DELETE /rooms/{room}", func(w http.ResponseWriter, q *http.Request) {
		id, err := roomOf(q)
		if err == nil && !r.abort(id) {
			err = &room.UnknownError{Room: id}
		}
		answer(w, map[string]bool{"aborted": true}, err)
	})
	mux.HandleFunc("GET /stats", func(w http.ResponseWriter, _ *http.Request) { answer(w, r.stats(), nil) })
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("OK")) })
	mux.HandleFunc("POST /faults", func(w http.ResponseWriter, q *http.Request) {
		q.Body = http.MaxBytesReader(w, q.Body, maxBody)
		answer(w, map[string]bool{"armed": true}, arm(q, inject))
	})
	return mux
}

// showRoom answers GET /rooms/{room}.
func showRoom(w http.ResponseWriter, q *http.Request, r rank) {
	id, err := roomOf(q)
	if err != nil {
		fail(w, err)
		return
	}
	o, err := r.state(id)
	text := q.URL.Query().Get("wait")
	if err != nil || text == "" || o.State.Terminal() {
		answer(w, o, err)
		return
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d > maxWait {
		fail(w, &WaitError{Text: text, Max: maxWait.String()})
		return
	}
	ctx, cancel := context.WithTimeout(q.Context(), d)
	defer cancel()
	answer(w, r.outcome(ctx, id), nil)
}

// roomOf reads the room of a path.
func roomOf(q *http.Request) (room.ID, error) {
	text := q.PathValue("room")
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, &RoomNumberError{Text: text}
	}
	return room.ID(n), nil
}

// arm prepares a fault.
func arm(q *http.Request, inject *fault.Injector) error {
	var f Fault
	if err := body(q, &f); err != nil {
		return err
	}
	var d time.Duration
	if f.For != "" {
		var err error
		if d, err = time.ParseDuration(f.For); err != nil || d < 0 || d > maxWait {
			return &WaitError{Text: f.For, Max: maxWait.String()}
		}
	}
	inject.Arm(fault.Fault{Kind: f.Kind, After: max(0, f.After), For: d})
	return nil
}

// body reads a request's JSON; the error is a *PayloadError.
func body(q *http.Request, into any) error {
	if err := json.NewDecoder(q.Body).Decode(into); err != nil {
		return &PayloadError{Path: q.URL.Path, Cause: err}
	}
	return nil
}

// status is the HTTP status of an error.
func status(err error) int {
	switch {
	case errors.As(err, new(*room.UnknownError)):
		return http.StatusNotFound
	case errors.As(err, new(*room.DuplicateError)), errors.Is(err, ErrBusy):
		return http.StatusConflict
	case errors.As(err, new(*room.FullError)), errors.Is(err, prefill.ErrClosed), errors.Is(err, decode.ErrClosed):
		return http.StatusServiceUnavailable
	}
	return http.StatusBadRequest
}

// fail answers with an error's status and text.
func fail(w http.ResponseWriter, err error) { http.Error(w, err.Error(), status(err)) }

// answer sends v as JSON, or the error.
func answer(w http.ResponseWriter, v any, err error) {
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // an error means that the client has left
}
