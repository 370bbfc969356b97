package web

import (
	"net/url"
	"strings"
)

// Links makes addresses within the site.
type Links struct {
	// Base is the path that the site stands below, without a slash at its end; "" for the root of a host.
	Base string
	// Origin is scheme and host of the site, for the links that must be whole; "" if it is not known.
	Origin string
	// Static says that the pages are files: addresses then name files, and what needs a server is left out.
	Static bool
}

// Home is the address of the home page.
func (l Links) Home() string { return l.Base + "/" }

// Asset is the address of a static file.
func (l Links) Asset(name string) string { return l.Base + "/static/" + name }

// Error is the address of the page of an error.
func (l Links) Error(id string) string { return l.page("/errors/" + id) }

// ErrorAt is the page of an error filled with the values of a report.
func (l Links) ErrorAt(id, report string) string {
	if report == "" || l.Static {
		return l.Error(id)
	}
	return l.Error(id) + "?" + url.Values{"m": {report}}.Encode()
}

// Data is the page of an error as JSON or Markdown: format is json or md.
func (l Links) Data(id, format string) string { return l.Base + "/errors/" + id + "." + format }

// Repo is the address of a repository's page.
func (l Links) Repo(name string) string { return l.page("/repos/" + escaped(name)) }

// Part is a part of a repository's list.
func (l Links) Part(name string, query url.Values) string {
	if len(query) == 0 {
		return l.Repo(name)
	}
	return l.Repo(name) + "?" + query.Encode()
}

// Coverage is the page that says how much of a repository was understood.
func (l Links) Coverage(name string) string { return l.page("/coverage/" + escaped(name)) }

// Compare is the page that compares two revisions of a repository.
func (l Links) Compare(name string) string { return l.page("/compare/" + escaped(name)) }

// Feed is the feed of new errors of a repository; "" where pages are files, which have none.
func (l Links) Feed(name string) string {
	if l.Static {
		return ""
	}
	return l.Base + "/feed/" + escaped(name) + ".atom"
}

// API is the page that describes the JSON API.
func (l Links) API() string { return l.page("/api") }

// Whole is an address with scheme and host, "" if they are not known.
func (l Links) Whole(address string) string {
	if l.Origin == "" {
		return ""
	}
	return l.Origin + address
}

func (l Links) page(path string) string {
	if l.Static {
		path += ".html"
	}
	return l.Base + path
}

// escaped is the name of a repository as a path: its slashes stay.
func escaped(name string) string {
	parts := strings.Split(name, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
		if parts[i] == "." || parts[i] == ".." {
			parts[i] = strings.ReplaceAll(parts[i], ".", "%2E")
		}
	}
	return strings.Join(parts, "/")
}
