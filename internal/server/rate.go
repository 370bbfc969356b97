package server

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"golang.org/x/time/rate"

	"github.com/wherefore-dev/wherefore/internal/lru"
)

// limiter bounds how often a client may ask.
type limiter struct {
	rate    rate.Limit
	burst   int
	proxy   bool
	clients *lru.Cache[*rate.Limiter]
}

// clientMemory bounds the memory for clients: about 20,000 of them.
const clientMemory = 8 << 20

func newLimiter(perSecond float64, proxy bool) *limiter {
	return &limiter{rate.Limit(perSecond), max(1, int(5*perSecond)), proxy, lru.New[*rate.Limiter](clientMemory)}
}

func (l *limiter) limit(next http.Handler) http.Handler {
	if l.rate <= 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !health(r.URL.Path) && !l.of(l.client(r)).Allow() {
			w.Header().Set("Retry-After", "1")
			problem(w, http.StatusTooManyRequests, "Too many requests; try again in a moment.")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (l *limiter) of(client string) *rate.Limiter {
	if one, ok := l.clients.Get(client); ok {
		return one
	}
	one := rate.NewLimiter(l.rate, l.burst)
	l.clients.Put(client, one, 100)
	return one
}

// client names who asks: an address, or the network of 64 bits that an address of the sixth version belongs to, which one client may
// hold whole. Behind a proxy it is the address that the proxy added last.
func (l *limiter) client(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	if all := r.Header.Values("X-Forwarded-For"); l.proxy && len(all) > 0 {
		parts := strings.Split(all[len(all)-1], ",")
		host = strings.TrimSpace(parts[len(parts)-1])
	}
	a, err := netip.ParseAddr(host)
	if err != nil {
		return "?"
	}
	if a = a.Unmap(); a.Is6() {
		if p, err := a.WithZone("").Prefix(64); err == nil {
			return p.String()
		}
	}
	return a.String()
}
