package source

import (
	"fmt"
	"net/url"
	"path"
	"strings"
)

// Host is the address of the repository's pages on its host, "" if it has no remote that is a host. For a folder inside a work tree the
// folder follows after "#". It holds no credentials. Link makes addresses of lines from it.
func (r *Repository) Host() string {
	scheme, host, name := splitRemote(r.origin)
	if host == "" || name == "" {
		return ""
	}
	u := url.URL{Scheme: scheme, Host: host, Path: "/" + name}
	if host == "dev.azure.com" || strings.HasSuffix(host, ".visualstudio.com") {
		u.Host, u.Path = azure(host, strings.Split(name, "/"))
	}
	u.Fragment = strings.TrimSuffix(r.prefix, "/")
	return u.String()
}

// splitRemote splits the URL of a remote into the scheme of its pages, its host and the path of the repository without slashes around it
// and without .git. All are "" for what is no host: a path or a file.
func splitRemote(remote string) (scheme, host, name string) {
	scheme = "https"
	if strings.Contains(remote, "://") {
		u, err := url.Parse(remote)
		if err != nil || u.Scheme == "file" {
			return "", "", ""
		}
		host, name = u.Hostname(), u.Path
		// The port of the pages is known where the pages and the repository are served alike.
		if u.Scheme == "https" || u.Scheme == "http" {
			host = u.Host
			if u.Scheme == "http" && u.Port() != "" {
				scheme = "http"
			}
		}
	} else {
		h, p, ok := splitHostPath(remote)
		if !ok {
			return "", "", ""
		}
		host, name = h[strings.LastIndexByte(h, '@')+1:], p
	}
	name = strings.Trim(strings.TrimSuffix(strings.Trim(name, "/"), ".git"), "/")
	switch host = strings.ToLower(host); host {
	case "ssh.github.com", "ssh.dev.azure.com":
		host = strings.TrimPrefix(host, "ssh.")
	case "altssh.bitbucket.org", "altssh.gitlab.com":
		host = strings.TrimPrefix(host, "altssh.")
	}
	return scheme, host, name
}

// azure is host and path of the pages of a repository of Azure DevOps, from the parts of the path by which it is fetched: over ssh
// v3/organisation/project/repository, over https [organisation/]project/_git/repository.
func azure(host string, parts []string) (string, string) {
	if len(parts) == 4 && parts[0] == "v3" {
		return "dev.azure.com", "/" + path.Join(parts[1], parts[2], "_git", parts[3])
	}
	return host, "/" + path.Join(parts...)
}

// remoteName is owner/name of a remote on a host; "" for what is no host.
func remoteName(remote string) string {
	_, host, name := splitRemote(remote)
	if host == "" {
		return ""
	}
	parts := strings.Split(name, "/")
	if len(parts) > 2 {
		// Azure's folder between project and repository is no owner.
		if at := len(parts) - 2; parts[at] == "_git" {
			parts = append(parts[:at], parts[at+1:]...)
		}
	}
	return path.Join(parts[max(0, len(parts)-2):]...)
}

// form is the way in which a host writes the address of lines.
type form int

const (
	unknownForm form = iota
	githubForm
	gitlabForm
	bitbucketForm
	giteaForm
	sourcehutForm
	azureForm
)

// formOf is the form of a host. The names of hosts of one's own usually say what they run; of others nothing is known.
func formOf(host string) form {
	switch {
	case host == "github.com" || strings.HasPrefix(host, "github."):
		return githubForm
	case strings.Contains(host, "gitlab") || host == "salsa.debian.org" || host == "invent.kde.org" || host == "framagit.org":
		return gitlabForm
	case host == "bitbucket.org":
		return bitbucketForm
	case host == "codeberg.org" || strings.Contains(host, "gitea") || strings.Contains(host, "forgejo"):
		return giteaForm
	case host == "git.sr.ht":
		return sourcehutForm
	case host == "dev.azure.com" || strings.HasSuffix(host, ".visualstudio.com"):
		return azureForm
	}
	return unknownForm
}

// Link is the address of the lines from line to end of a file at a commit, on the host whose pages are at base, as Host returns it; "" where
// the host's form is not known, or there is no commit. path is as List gives it. Lines count from 1.
func Link(base, path string, line, end int, commit string) string {
	u, err := url.Parse(base)
	if err != nil || !isCommit(commit) || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	if u.Fragment != "" {
		path = u.Fragment + "/" + path
	}
	u.Fragment, u.RawFragment, u.RawQuery, u.User = "", "", "", nil
	base = strings.TrimSuffix(u.String(), "/")
	file := (&url.URL{Path: path}).EscapedPath()
	switch formOf(u.Hostname()) {
	case githubForm:
		return fmt.Sprintf("%s/blob/%s/%s#L%d%s", base, commit, file, line, span("-L", line, end))
	case gitlabForm:
		return fmt.Sprintf("%s/-/blob/%s/%s#L%d%s", base, commit, file, line, span("-", line, end))
	case bitbucketForm:
		return fmt.Sprintf("%s/src/%s/%s#lines-%d%s", base, commit, file, line, span(":", line, end))
	case giteaForm:
		return fmt.Sprintf("%s/src/commit/%s/%s#L%d%s", base, commit, file, line, span("-L", line, end))
	case sourcehutForm:
		return fmt.Sprintf("%s/tree/%s/item/%s#L%d%s", base, commit, file, line, span("-", line, end))
	case azureForm:
		// The end is exclusive: the first column of the line after.
		return fmt.Sprintf("%s?path=%s&version=GC%s&line=%d&lineEnd=%d&lineStartColumn=1&lineEndColumn=1",
			base, url.QueryEscape("/"+path), commit, line, max(line, end)+1)
	}
	return ""
}

// span is the end of a range of lines, "" where it is one line.
func span(sep string, line, end int) string {
	if end <= line {
		return ""
	}
	return fmt.Sprintf("%s%d", sep, end)
}
