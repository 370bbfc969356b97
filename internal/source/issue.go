package source

import (
	"net/url"
	"strings"
)

// IssueLink is the address at which an issue of the repository whose pages are at base, as Host returns it, is filed, with title and body
// filled in; "" where the host's form is not known or has no tracker of its own.
func IssueLink(base, title, body string) string {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	u.Fragment, u.RawFragment, u.RawQuery, u.User = "", "", "", nil
	path, titleName, bodyName := "", "title", "body"
	switch formOf(u.Hostname()) {
	case githubForm, giteaForm:
		path = "/issues/new"
	case gitlabForm:
		path, titleName, bodyName = "/-/issues/new", "issue[title]", "issue[description]"
	case bitbucketForm:
		path, bodyName = "/issues/new", "content"
	default:
		return ""
	}
	u.Path = strings.TrimSuffix(u.Path, "/") + path
	u.RawQuery = url.Values{titleName: {title}, bodyName: {body}}.Encode()
	return u.String()
}
