package process

import (
	"net"
	"net/http"
	"sync"
	"time"
)

// HTTP is a listening address, and the server that answers there.
type HTTP struct {
	listener net.Listener
	server   *http.Server
	wg       sync.WaitGroup
}

// Listen takes an address; port 0 takes any free one. The error is a *ListenError.
func Listen(addr string) (*HTTP, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, &ListenError{Addr: addr, Cause: err}
	}
	return &HTTP{listener: l}, nil
}

// Addr is where it listens.
func (h *HTTP) Addr() string { return h.listener.Addr().String() }

// Port is the number of the port where it listens.
func (h *HTTP) Port() int { return h.listener.Addr().(*net.TCPAddr).Port }

// Serve answers with handler until Close. Call it once.
func (h *HTTP) Serve(handler http.Handler) {
	h.server = &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second}
	h.wg.Go(func() { _ = h.server.Serve(h.listener) }) // it returns when the server is closed
}

// Close ends all connections and returns when nothing is served any more.
func (h *HTTP) Close() {
	if h.server != nil {
		_ = h.server.Close() // it closes the listener, and what that says helps nobody
	}
	_ = h.listener.Close()
	h.wg.Wait()
}
