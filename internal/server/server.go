// Package server serves the web site, the JSON API and what others mount beside them over HTTP.
//
// A request goes through: a stop for faults, measures, headers, the check of host and tokens, the limits, and then a place that
// remembers answers for one state of the catalog, compresses them and answers conditional requests. Handlers only write plain answers.
package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/netutil"

	"github.com/wherefore-dev/wherefore/internal/service"
	"github.com/wherefore-dev/wherefore/internal/web"
)

// Options say how to serve. The zero value serves everybody without limits of rate.
type Options struct {
	Version string
	Log     *slog.Logger // nil: nothing is logged
	// Origin is scheme and host under which readers reach the site, for canonical links; "" takes it from each request.
	Origin string
	// Hosts are the names by which the server may be called; nil is any. It keeps web pages elsewhere from reaching a server on
	// this machine through a name of theirs.
	Hosts []string
	// CORS are the origins whose pages may read the API; "*" is any.
	CORS []string
	// ReadToken, if not "", has to be given with every request but those for health. WriteToken allows what writes.
	ReadToken, WriteToken string
	// Rate is how many requests a second a client may make on average, with bursts of five times as many; 0 is no limit.
	Rate float64
	// Proxy says that a proxy stands before the server, whose X-Forwarded-For names the client.
	Proxy bool
	// Connections bounds open connections, 0 for 1024; Concurrent the requests that are worked on at once, 0 for 64.
	Connections, Concurrent int
	// MaxBody bounds what a request may send, in bytes; 0 for 1 MB.
	MaxBody int64
	// Timeout bounds the work on one request; 0 for 20 s.
	Timeout time.Duration
	// Remembered bounds the memory for rendered answers, in bytes; 0 for 32 MB.
	Remembered int
	// Mounts are handlers of others, by pattern.
	Mounts map[string]http.Handler
}

// Server serves a service.
type Server struct {
	options Options
	service *service.Service
	web     *web.Renderer
	log     *slog.Logger
	metrics *metrics
	replies *replies
	handler http.Handler
	// readHeader is how long a client may take to say what it wants.
	readHeader time.Duration
}

// New returns a server.
func New(s *service.Service, o Options) (*Server, error) {
	o.Connections, o.Concurrent = orElse(o.Connections, 1024), orElse(o.Concurrent, 64)
	o.MaxBody, o.Timeout, o.Remembered = orElse(o.MaxBody, 1<<20), orElse(o.Timeout, 20*time.Second), orElse(o.Remembered, 32<<20)
	srv := &Server{options: o, service: s, log: o.Log, readHeader: 5 * time.Second}
	if srv.log == nil {
		srv.log = slog.New(slog.DiscardHandler)
	}
	var err error
	if srv.web, err = web.New(web.Options{Links: web.Links{Origin: o.Origin}}); err != nil {
		return nil, err
	}
	srv.metrics = newMetrics(s)
	srv.replies = newReplies(o.Remembered)
	mux := http.NewServeMux()
	srv.site(mux)
	srv.api(mux)
	for pattern, h := range o.Mounts {
		mux.Handle(pattern, h)
	}
	srv.handler = srv.chain(mux)
	return srv, nil
}

func orElse[T comparable](v, other T) T {
	var zero T
	if v == zero {
		return other
	}
	return v
}

// Handler is the whole server as a handler.
func (s *Server) Handler() http.Handler { return s.handler }

// grace is how long requests that are under way may take when the server ends.
const grace = 15 * time.Second

// Serve answers on l until ctx ends, and then finishes what is under way.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	h := &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: s.readHeader,
		ReadTimeout:       20 * time.Second,
		WriteTimeout:      s.options.Timeout + 20*time.Second,
		IdleTimeout:       60 * time.Second,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(netutil.LimitListener(l, s.options.Connections)) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	err := h.Shutdown(patience)
	if end := <-ended; !errors.Is(end, http.ErrServerClosed) {
		err = errors.Join(err, end)
	}
	return err
}
