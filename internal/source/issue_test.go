package source

import "testing"

func TestIssueLink(t *testing.T) {
	for base, want := range map[string]string{
		"https://github.com/o/n":           "https://github.com/o/n/issues/new?body=b%26c&title=a+%23",
		"https://github.com/o/n#sub":       "https://github.com/o/n/issues/new?body=b%26c&title=a+%23",
		"https://gitlab.example.org/g/s/n": "https://gitlab.example.org/g/s/n/-/issues/new?issue%5Bdescription%5D=b%26c&issue%5Btitle%5D=a+%23",
		"https://codeberg.org/o/n":         "https://codeberg.org/o/n/issues/new?body=b%26c&title=a+%23",
		"https://bitbucket.org/o/n":        "https://bitbucket.org/o/n/issues/new?content=b%26c&title=a+%23",
		"https://git.sr.ht/~o/n":           "",
		"https://example.org/o/n":          "",
		"javascript:alert(1)":              "",
		"":                                 "",
	} {
		if got := IssueLink(base, "a #", "b&c"); got != want {
			t.Errorf("IssueLink(%q) = %q, want %q", base, got, want)
		}
	}
}
