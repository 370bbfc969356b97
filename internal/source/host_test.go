package source

import (
	"strings"
	"testing"
)

const someCommit = "0123456789abcdef0123456789abcdef01234567"

func TestHosts(t *testing.T) {
	for _, c := range []struct{ remote, host, name, line, lines string }{
		{"https://github.com/owner/name.git", "https://github.com/owner/name", "owner/name", "/blob/COMMIT/a/b%20c.py#L7", "-L9"},
		{"git@github.com:owner/name.git", "https://github.com/owner/name", "owner/name", "/blob/COMMIT/a/b%20c.py#L7", "-L9"},
		{"ssh://git@ssh.github.com:443/owner/name", "https://github.com/owner/name", "owner/name", "/blob/COMMIT/a/b%20c.py#L7", "-L9"},
		{"git://github.com/owner/name/", "https://github.com/owner/name", "owner/name", "/blob/COMMIT/a/b%20c.py#L7", "-L9"},
		{"https://github.example.org/owner/name", "https://github.example.org/owner/name", "owner/name", "/blob/COMMIT/a/b%20c.py#L7", "-L9"},
		{"https://gitlab.com/group/sub/name.git", "https://gitlab.com/group/sub/name", "sub/name", "/-/blob/COMMIT/a/b%20c.py#L7", "-9"},
		{"https://gitlab.example.org:8443/group/name.git", "https://gitlab.example.org:8443/group/name", "group/name", "/-/blob/COMMIT/a/b%20c.py#L7", "-9"},
		{"ssh://git@gitlab.example.org:2222/group/name.git", "https://gitlab.example.org/group/name", "group/name", "/-/blob/COMMIT/a/b%20c.py#L7", "-9"},
		{"git@salsa.debian.org:debian/name.git", "https://salsa.debian.org/debian/name", "debian/name", "/-/blob/COMMIT/a/b%20c.py#L7", "-9"},
		{"git@bitbucket.org:team/name.git", "https://bitbucket.org/team/name", "team/name", "/src/COMMIT/a/b%20c.py#lines-7", ":9"},
		{"https://codeberg.org/owner/name.git", "https://codeberg.org/owner/name", "owner/name", "/src/commit/COMMIT/a/b%20c.py#L7", "-L9"},
		{"http://gitea.example.org:3000/owner/name.git", "http://gitea.example.org:3000/owner/name", "owner/name", "/src/commit/COMMIT/a/b%20c.py#L7", "-L9"},
		{"https://git.sr.ht/~owner/name", "https://git.sr.ht/~owner/name", "~owner/name", "/tree/COMMIT/item/a/b%20c.py#L7", "-9"},
		{"https://org@dev.azure.com/org/project/_git/name", "https://dev.azure.com/org/project/_git/name", "project/name",
			"?path=%2Fa%2Fb+c.py&version=GCCOMMIT&line=7&lineEnd=8&lineStartColumn=1&lineEndColumn=1", "AZURE"},
		{"git@ssh.dev.azure.com:v3/org/project/name", "https://dev.azure.com/org/project/_git/name", "project/name",
			"?path=%2Fa%2Fb+c.py&version=GCCOMMIT&line=7&lineEnd=8&lineStartColumn=1&lineEndColumn=1", "AZURE"},
		{"https://org.visualstudio.com/project/_git/name", "https://org.visualstudio.com/project/_git/name", "project/name",
			"?path=%2Fa%2Fb+c.py&version=GCCOMMIT&line=7&lineEnd=8&lineStartColumn=1&lineEndColumn=1", "AZURE"},
		{"https://user:secret@git.example.org/owner/name.git", "https://git.example.org/owner/name", "owner/name", "", ""},
		{"git.example.org:owner/name.git", "https://git.example.org/owner/name", "owner/name", "", ""},
		{"user@[::1]:owner/name.git", "https://[::1]/owner/name", "owner/name", "", ""},
		{"https://github.com/single", "https://github.com/single", "single", "/blob/COMMIT/a/b%20c.py#L7", "-L9"},
		{"/srv/git/name.git", "", "", "", ""},
		{"../name", "", "", "", ""},
		{"file:///srv/git/name.git", "", "", "", ""},
		{"/srv/with:colon/name", "", "", "", ""},
		{"ext::sh -c true", "", "", "", ""},
		{"javascript://github.com/%0aalert(1)", "https://github.com/%0Aalert%281%29", "\nalert(1)", "/blob/COMMIT/a/b%20c.py#L7", "-L9"},
		{"", "", "", "", ""},
	} {
		r := &Repository{origin: withoutCredentials(c.remote)}
		if got := r.Host(); got != c.host {
			t.Errorf("%s: host %s, want %s", c.remote, got, c.host)
		}
		if got := remoteName(r.origin); got != c.name {
			t.Errorf("%s: name %q, want %q", c.remote, got, c.name)
		}
		line, lines := "", ""
		if c.line != "" {
			line = c.host + strings.ReplaceAll(c.line, "COMMIT", someCommit)
			lines = line + c.lines
			if c.lines == "AZURE" {
				lines = strings.Replace(line, "lineEnd=8", "lineEnd=10", 1)
			}
		}
		if got := Link(r.Host(), "a/b c.py", 7, 7, someCommit); got != line {
			t.Errorf("%s: line %s, want %s", c.remote, got, line)
		}
		if got := Link(r.Host(), "a/b c.py", 7, 9, someCommit); got != lines {
			t.Errorf("%s: lines %s, want %s", c.remote, got, lines)
		}
	}
	for _, base := range []string{"javascript:alert(1)", "ftp://github.com/a/b", "://", "https://user:secret@example.org/a"} {
		if got := Link(base, "a.py", 1, 1, someCommit); got != "" {
			t.Errorf("%s: %s", base, got)
		}
	}
	if got := Link("https://github.com/a/b", "a.py", 1, 1, ""); got != "" {
		t.Errorf("without a commit: %s", got)
	}
	if got, want := Link("https://github.com/a/b", "x#y?z/ü.py", 1, 0, someCommit), "https://github.com/a/b/blob/"+someCommit+"/x%23y%3Fz/%C3%BC.py#L1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		r    Repository
		want string
	}{
		{Repository{location: "/srv/name"}, "name"},
		{Repository{location: "/srv/name", origin: "/srv/git/other.git", git: true}, "name"},
		{Repository{location: "/srv/name.git", git: true, bare: true}, "name"},
		{Repository{location: "/srv/name/.git", git: true, bare: true}, "name"},
		{Repository{location: "/srv/name/sub/deep", git: true, prefix: "sub/deep/"}, "name/sub/deep"},
		{Repository{location: "file:///srv/git/name.git", git: true, bare: true, origin: "file:///srv/git/name.git"}, "name"},
		{Repository{location: "https://example.org/name.git", git: true, bare: true, origin: "https://example.org/name.git"}, "name"},
	} {
		if got := c.r.Name(); got != c.want {
			t.Errorf("%+v is %s, want %s", c.r.location, got, c.want)
		}
	}
}

func TestCredentials(t *testing.T) {
	for in, want := range map[string]string{
		"https://user:secret@example.org/a":                            "https://example.org/a",
		"https://token@example.org/a":                                  "https://example.org/a",
		"fatal: unable to access 'https://u:p@h/a/': not 'http://x@y'": "fatal: unable to access 'https://h/a/': not 'http://y'",
		"https://user:p@ss@example.org/a":                              "https://example.org/a",
		"https://user:pa/ss@example.org/a":                             "https://example.org/a",
		"https://user:pa?ss@example.org/a":                             "https://example.org/a",
		"ssh://git@example.org/a":                                      "ssh://git@example.org/a",
		"ssh://git:secret@example.org/a":                               "ssh://git@example.org/a",
		"git+ssh://git:secret@example.org/a":                           "git+ssh://git@example.org/a",
		"git@example.org:a":                                            "git@example.org:a",
		"https://example.org:8080/a@v1":                                "https://example.org:8080/a@v1",
		"https://example.org/a?private_token=secret&x=1":               "https://example.org/a?private_token=***&x=1",
		"https://example.org/a?x=1":                                    "https://example.org/a?x=1",
		"no address at all":                                            "no address at all",
		"://":                                                          "://",
		"https://":                                                     "https://",
	} {
		if got := withoutCredentials(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func FuzzCredentials(f *testing.F) {
	f.Add("https://user:secret@example.org/a?token=x", "user")
	f.Fuzz(func(t *testing.T, text, host string) {
		once := withoutCredentials(text)
		if twice := withoutCredentials(once); once != twice {
			t.Errorf("%q becomes %q, and that %q", text, once, twice)
		}
		Link("https://github.com/"+host, text, 1, 2, someCommit)
		(&Repository{origin: text}).Host()
	})
}
