package source

import (
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"unicode"
)

// address is where a repository is fetched from.
type address struct {
	url     string   // as git takes it, with what it holds of credentials
	shown   string   // as it may be printed and kept
	secrets []string // what must not be printed
}

// isAddress reports whether a location is a URL, or of the form host:path that ssh takes, rather than a path.
func isAddress(location string) bool {
	if strings.Contains(location, "://") {
		return true
	}
	host, path, ok := splitHostPath(location)
	if !ok || host == "" || path == "" {
		return false
	}
	_, err := os.Lstat(location)
	return err != nil
}

// splitHostPath splits the form host:path, in which no slash stands before the colon.
func splitHostPath(s string) (host, path string, ok bool) {
	if strings.HasPrefix(s[strings.IndexByte(s, '@')+1:], "[") {
		if end := strings.Index(s, "]:"); end > 0 && !strings.Contains(s[:end], "/") {
			return s[:end+1], s[end+2:], true
		}
	}
	host, path, ok = strings.Cut(s, ":")
	// A colon more would be the form in which git takes a transport that runs a program.
	if !ok || strings.ContainsAny(host, "/\\ ") || strings.HasPrefix(path, ":") {
		return "", "", false
	}
	return host, path, true
}

// parseAddress checks a location that isAddress takes. Only https, http, ssh and file are spoken.
func parseAddress(location string) (address, error) {
	a := address{url: location, shown: withoutCredentials(location)}
	if strings.ContainsFunc(location, unicode.IsControl) {
		return a, fmt.Errorf("%q is not a repository's address: it holds control characters", a.shown)
	}
	scheme, _, ok := strings.Cut(location, "://")
	if !ok {
		if strings.HasPrefix(location, "-") {
			return a, fmt.Errorf("%s is not a repository's address", a.shown)
		}
		return a, nil
	}
	if !slices.Contains([]string{"https", "http", "ssh", "file"}, scheme) {
		return a, fmt.Errorf("%s: repositories are read over https, http, ssh and file only", a.shown)
	}
	u, err := url.Parse(location)
	if err != nil {
		return a, fmt.Errorf("%s is not a URL", a.shown)
	}
	if u.User != nil {
		if p, ok := u.User.Password(); ok {
			a.secrets = append(a.secrets, p, url.QueryEscape(p), url.PathEscape(p))
		}
		if scheme != "ssh" {
			a.secrets = append(a.secrets, u.User.Username())
		}
		raw, _, _ := strings.Cut(strings.TrimPrefix(location, scheme+"://"), "@")
		a.secrets = append(a.secrets, raw)
	}
	for key, values := range u.Query() {
		if secretKey(key) {
			a.secrets = append(a.secrets, values...)
		}
	}
	return a, nil
}

// hide removes the address's credentials from an error.
func (a address) hide(err error) error {
	text := withoutCredentials(err.Error())
	for _, s := range a.secrets {
		if len(s) > 3 { // a shorter one would take the text apart, and protects nothing
			text = strings.ReplaceAll(text, s, "***")
		}
	}
	if text == err.Error() {
		return err
	}
	return &hiddenError{text, err}
}

// hiddenError is an error whose text was cleaned, and which is still of the kinds that it was.
type hiddenError struct {
	text string
	err  error
}

func (e *hiddenError) Error() string { return e.text }
func (e *hiddenError) Unwrap() error { return e.err }

// withoutCredentials removes from the URLs in a text what may be secret: user and password, where the scheme is ssh the password
// alone, and the values of parameters that are called like secrets.
func withoutCredentials(s string) string {
	var b strings.Builder
	for {
		i := strings.Index(s, "://")
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		scheme := s[:i]
		b.WriteString(s[:i+3])
		s = s[i+3:]
		end := strings.IndexFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`'"<>`, r) })
		if end < 0 {
			end = len(s)
		}
		rest := withoutUser(s[:end], strings.HasSuffix(scheme, "ssh"))
		b.WriteString(withoutParameters(rest))
		s = s[end:]
	}
}

// withoutUser removes user and password from a URL without its scheme.
func withoutUser(rest string, keepUser bool) string {
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	at := strings.LastIndexByte(rest[:end], '@')
	if at < 0 {
		// A password with a slash in it makes no URL, but it is a password: what follows the colon is then no port.
		if colon := strings.IndexByte(rest[:end], ':'); colon >= 0 && strings.Trim(rest[colon+1:end], "0123456789") != "" {
			at = strings.LastIndexByte(rest, '@')
		}
	}
	if at < 0 {
		return rest
	}
	if user, _, _ := strings.Cut(rest[:at], ":"); keepUser && user != "" {
		return user + rest[at:]
	}
	return rest[at+1:]
}

// withoutParameters removes the values of secret parameters from a URL.
func withoutParameters(rest string) string {
	path, query, ok := strings.Cut(rest, "?")
	if !ok {
		return rest
	}
	parts := strings.Split(query, "&")
	for i, p := range parts {
		if key, _, ok := strings.Cut(p, "="); ok && secretKey(key) {
			parts[i] = key + "=***"
		}
	}
	return path + "?" + strings.Join(parts, "&")
}

func secretKey(key string) bool {
	key = strings.ToLower(key)
	for _, word := range [...]string{"token", "password", "passwd", "secret", "auth", "key", "credential", "signature"} {
		if strings.Contains(key, word) {
			return true
		}
	}
	return false
}
