package server

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"
)

type mayWrite struct{}

// MayWrite reports whether the request of a context came with the write token. Without one set, nobody may write.
func MayWrite(ctx context.Context) bool { return ctx.Value(mayWrite{}) != nil }

// authorised checks the tokens. The write token reads as well.
func (s *Server) authorised(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given := token(r)
		if same(given, s.options.WriteToken) {
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), mayWrite{}, true)))
			return
		}
		if s.options.ReadToken != "" && !same(given, s.options.ReadToken) && !health(r.URL.Path) {
			// Browsers ask for a password, which is the token.
			w.Header().Set("WWW-Authenticate", `Basic realm="wherefore", charset="UTF-8"`)
			problem(w, http.StatusUnauthorized, "A token is needed: as a bearer token, or as the password of any user.")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// token is what a request gives as its token: a bearer, or the password of any user.
func token(r *http.Request) string {
	if scheme, value, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(value)
	}
	_, password, _ := r.BasicAuth()
	return password
}

// same compares in a time that depends on neither; "" is no token.
func same(given, token string) bool {
	if token == "" {
		return false
	}
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}
