package router

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/control"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/decode"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/prefill"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// abortTime bounds taking a room back.
const abortTime = 5 * time.Second

// Service says where the ranks are: the control addresses of all prefill ranks of an engine and of all decode ranks of another.
type Service struct {
	Prefill, Decode []string
	Bootstrap       string // address of the prefill engine's bootstrap server
}

// Router gives requests to one service. It is safe for concurrent use.
type Router struct {
	service Service
	client  *control.Client
	order   sync.Mutex // held while a request goes out: see decode.Engine.Submit
}

// New returns a router. The error is ErrNoRanks.
func New(s Service) (*Router, error) {
	if len(s.Prefill) == 0 || len(s.Decode) == 0 {
		return nil, ErrNoRanks
	}
	return &Router{service: s, client: control.NewClient(64)}, nil
}

// Close drops connections.
func (r *Router) Close() { r.client.Close() }

// Request sends one request through the service and returns how many bytes the decode ranks received and compared. Errors are a
// *FailedError, a *PendingError when patience is over, and those of control.Client.
func (r *Router) Request(ctx context.Context, q decode.Request, patience time.Duration) (int64, error) {
	if q.Bootstrap == "" {
		q.Bootstrap = r.service.Bootstrap
	}
	err := r.submit(ctx, q)
	var sum int64
	if err == nil {
		sum, err = r.await(ctx, q.Room, patience)
	}
	if err != nil {
		r.Abort(q.Room)
	}
	return sum, err
}

// submit gives a request to all ranks.
func (r *Router) submit(ctx context.Context, q decode.Request) error {
	r.order.Lock()
	defer r.order.Unlock()
	for _, addr := range r.service.Prefill {
		if err := r.client.Submit(ctx, addr, prefill.Request{Room: q.Room, Tokens: q.Tokens}); err != nil {
			return err
		}
	}
	for _, addr := range r.service.Decode {
		if err := r.client.Submit(ctx, addr, q); err != nil {
			return err
		}
	}
	return nil
}

// await waits until all decode ranks have come to an end, and returns the first failure.
func (r *Router) await(ctx context.Context, id room.ID, patience time.Duration) (sum int64, err error) {
	until := time.Now().Add(patience)
	for _, addr := range r.service.Decode {
		o, oerr := r.client.Room(ctx, addr, id, max(0, time.Until(until)))
		switch {
		case oerr != nil:
		case o.State == room.Failed:
			oerr = &FailedError{Room: id, Rank: addr, Reason: o.Error}
		case o.State != room.Success:
			oerr = &PendingError{Room: id, Rank: addr, State: o.State}
		}
		if sum += o.Bytes; err == nil {
			err = oerr
		}
	}
	return sum, err
}

// Abort takes a room back on all ranks. Ranks that do not have it, or cannot be reached, have nothing to take back.
func (r *Router) Abort(id room.ID) {
	ctx, cancel := context.WithTimeout(context.Background(), abortTime)
	defer cancel()
	for _, addr := range append(append([]string(nil), r.service.Prefill...), r.service.Decode...) {
		_ = r.client.Abort(ctx, addr, id)
	}
}

// Clean asks every decode rank whether memory that no request holds is as it was. While rooms are being given back it tries again, up to
// a time. Errors are those of control.Client.
func (r *Router) Clean(ctx context.Context, patience time.Duration) error {
	until := time.Now().Add(patience)
	for _, addr := range r.service.Decode {
		for {
			err := r.client.Clean(ctx, addr)
			var busy *control.StatusError
			if err == nil {
				break
			}
			if !errors.As(err, &busy) || busy.Text != control.ErrBusy.Error() || time.Now().After(until) {
				return err
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	return nil
}
