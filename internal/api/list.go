package api

import "time"

// Repo is a repository of the catalog with the sizes of its newest indexed revision.
type Repo struct {
	Name      string    `json:"name"`
	Revision  string    `json:"revision"` // the newest indexed one
	Commit    string    `json:"commit,omitempty"`
	Revisions []string  `json:"revisions"` // all indexed ones, newest first
	Host      string    `json:"host,omitempty"`
	Indexed   time.Time `json:"indexed"`
	Files     int       `json:"files"`
	Bytes     int64     `json:"bytes"`
	Sites     int       `json:"sites"`
	Templates int       `json:"with_template"`  // of the sites
	Condition int       `json:"with_condition"` // of the sites
	Reraises  int       `json:"reraises"`       // of the sites; they have no message of their own
	Languages []string  `json:"languages"`
}

// ErrorList is one part of a list of errors.
type ErrorList struct {
	Errors []Error `json:"errors"`
	Total  int     `json:"total"`          // of all parts
	Next   string  `json:"next,omitempty"` // cursor of the part behind this one; "" for the last
}

// Facets count the errors of a list by what it can be filtered with, most frequent first.
type Facets struct {
	Kinds     []Facet `json:"kinds"`
	FileKinds []Facet `json:"file_kinds"`
	Types     []Facet `json:"types"`
}

// Facet is a value with the number of errors that have it.
type Facet struct {
	Value string `json:"value"`
	Count int    `json:"count"`
}

// Folder is a folder of a repository, or a file, with the errors below it. An error counts in every folder that holds a site of it.
type Folder struct {
	Path    string   `json:"path"` // of a folder with a slash at the end
	Errors  int      `json:"errors"`
	Folders []Folder `json:"folders,omitempty"` // what it holds, most errors first
}
