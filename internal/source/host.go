package source

import (
	"fmt"
	"net/url"
	"strings"
)

// Host is the address of the repository's pages on its host, "" if it has none that is known.
func (r *Repository) Host() string {
	remote := r.remote
	if remote == "" {
		return ""
	}
	if !strings.Contains(remote, "://") {
		host, path, ok := strings.Cut(remote, ":")
		if !ok {
			return ""
		}
		remote = "https://" + host[strings.IndexByte(host, '@')+1:] + "/" + path
	}
	u, err := url.Parse(remote)
	if err != nil || u.Hostname() == "" || u.Scheme == "file" {
		return ""
	}
	host := strings.TrimPrefix(u.Hostname(), "ssh.")
	path := strings.Trim(strings.TrimSuffix(u.Path, ".git"), "/")
	if host == "dev.azure.com" {
		path = strings.TrimPrefix(path, "v3/")
		if parts := strings.Split(path, "/"); len(parts) == 3 {
			path = parts[0] + "/" + parts[1] + "/_git/" + parts[2]
		}
	}
	return "https://" + host + "/" + path
}

// Link is the address of lines of a file at a commit on the host that serves base, "" where the form is not known.
func Link(base, path string, line, end int, commit string) string {
	u, err := url.Parse(base)
	if err != nil || base == "" || commit == "" {
		return ""
	}
	file := (&url.URL{Path: path}).EscapedPath()
	host := u.Hostname()
	switch {
	case strings.Contains(host, "gitlab"):
		return fmt.Sprintf("%s/-/blob/%s/%s#L%d%s", base, commit, file, line, span("-", line, end))
	case host == "bitbucket.org":
		return fmt.Sprintf("%s/src/%s/%s#lines-%d%s", base, commit, file, line, span(":", line, end))
	case host == "git.sr.ht":
		return fmt.Sprintf("%s/tree/%s/item/%s#L%d%s", base, commit, file, line, span("-", line, end))
	case host == "dev.azure.com":
		return fmt.Sprintf("%s?path=/%s&version=GC%s&line=%d&lineEnd=%d&lineStartColumn=1&lineEndColumn=1", base, url.QueryEscape(path), commit, line, max(line, end)+1)
	case host == "codeberg.org" || strings.Contains(host, "gitea") || strings.Contains(host, "forgejo"):
		return fmt.Sprintf("%s/src/commit/%s/%s#L%d%s", base, commit, file, line, span("-L", line, end))
	case host == "github.com" || strings.HasPrefix(host, "github."):
		return fmt.Sprintf("%s/blob/%s/%s#L%d%s", base, commit, file, line, span("-L", line, end))
	}
	return ""
}

func span(sep string, line, end int) string {
	if end <= line {
		return ""
	}
	return fmt.Sprintf("%s%d", sep, end)
}
