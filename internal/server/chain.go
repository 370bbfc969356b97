package server

import (
	"context"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// chain puts what all requests go through around the handlers.
func (s *Server) chain(mux *http.ServeMux) http.Handler {
	h := s.remember(mux)
	h = s.bounded(h)
	h = newLimiter(s.options.Rate, s.options.Proxy).limit(h)
	h = s.authorised(h)
	h = s.known(h)
	h = s.headers(h)
	return s.measured(mux, s.recovered(h))
}

// recovered answers a fault of ours with 500, and keeps serving.
func (s *Server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			fault := recover()
			if fault == nil {
				return
			}
			if fault == http.ErrAbortHandler {
				panic(fault)
			}
			s.log.Error("a request failed", "fault", fault, "path", r.URL.Path, "stack", string(debug.Stack()))
			problem(w, http.StatusInternalServerError, "The server failed on this request; the fault is in its log.")
		}()
		next.ServeHTTP(w, r)
	})
}

// policy allows what our own pages need and nothing else.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// headers sets what every answer carries, and answers the questions of browsers about other origins.
func (s *Server) headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
		if !readable(r.URL.Path) {
			h.Set("Cross-Origin-Resource-Policy", "same-origin")
			next.ServeHTTP(w, r)
			return
		}
		h.Add("Vary", "Origin")
		origin := r.Header.Get("Origin")
		if origin == "" || !s.allows(origin) {
			next.ServeHTTP(w, r)
			return
		}
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Expose-Headers", "ETag")
		if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
			h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST")
			h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, If-None-Match")
			h.Set("Access-Control-Max-Age", "86400")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// readable reports whether pages of other origins may be allowed to read a path: the API and the data of pages.
func readable(path string) bool {
	return strings.HasPrefix(path, "/api/") || path == "/openapi.json" || strings.HasPrefix(path, "/errors/") && (strings.HasSuffix(path, ".json") || strings.HasSuffix(path, ".md"))
}

func (s *Server) allows(origin string) bool {
	return slices.Contains(s.options.CORS, "*") || slices.Contains(s.options.CORS, origin)
}

// known refuses requests under a name that is not ours.
func (s *Server) known(next http.Handler) http.Handler {
	if s.options.Hosts == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		if !slices.Contains(s.options.Hosts, strings.Trim(host, "[]")) {
			problem(w, http.StatusMisdirectedRequest, "This server is not known by that name.")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// patience is how long a request waits for its turn before it is refused.
const patience = 2 * time.Second

// bounded limits what a request may send, how long it may take, and how many are worked on at once.
func (s *Server) bounded(next http.Handler) http.Handler {
	turns := make(chan struct{}, s.options.Concurrent)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if health(r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		select {
		case turns <- struct{}{}:
		default:
			wait := time.NewTimer(patience)
			defer wait.Stop()
			select {
			case turns <- struct{}{}:
			case <-wait.C:
				w.Header().Set("Retry-After", "2")
				problem(w, http.StatusServiceUnavailable, "The server is busy; try again in a moment.")
				return
			case <-r.Context().Done():
				return
			}
		}
		defer func() { <-turns }()
		if r.ContentLength > s.options.MaxBody {
			problem(w, http.StatusRequestEntityTooLarge, tooLarge)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, s.options.MaxBody)
		ctx, cancel := context.WithTimeout(r.Context(), s.options.Timeout)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

const tooLarge = "The report is larger than what is looked at; send the part with the error."

// health reports the paths that must answer whatever the load: whoever watches the server asks them.
func health(path string) bool { return path == "/healthz" || path == "/readyz" }
