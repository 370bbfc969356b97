package cli

import (
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (a *app) manCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:               "man",
		Short:             "Print the manual page",
		Long:              "Print the manual page in roff, one page for all commands: wherefore man | man -l -",
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			return manual(a.stdout, root)
		},
	}
}

// manual writes one page for all commands, in the order in which help lists them.
func manual(w io.Writer, root *cobra.Command) error {
	m := &roff{}
	m.line(`.TH WHEREFORE 1 "" %s "User Commands"`, quotedRoff("wherefore "+version()))
	m.line(".SH NAME\nwherefore \\- %s", escapeRoff(lowerFirst(root.Short)))
	m.line(".SH SYNOPSIS\n.B wherefore\n.I command\n[\\fIflags\\fR]")
	m.line(".SH DESCRIPTION")
	m.text(root.Long)
	m.line(".SH COMMANDS")
	for _, c := range root.Commands() {
		if !c.IsAvailableCommand() || c.Name() == "help" {
			continue
		}
		m.line(".SS %s", quotedRoff(c.UseLine()))
		m.text(c.Long)
		m.flags(c.LocalNonPersistentFlags())
		for _, sub := range c.Commands() {
			m.line(".TP\n.B %s\n%s", escapeRoff(sub.CommandPath()), escapeRoff(sub.Short))
		}
		m.examples(c.Example)
	}
	m.line(".SH OPTIONS\nThese are understood by every command.")
	m.flags(root.PersistentFlags())
	m.line(".SH ENVIRONMENT")
	for _, v := range environmentHelp() {
		m.line(".TP\n.B %s\n%s", escapeRoff(v[0]), escapeRoff(v[1]))
	}
	m.line(".SH EXAMPLES")
	m.examples(root.Example)
	_, err := io.WriteString(w, m.String())
	return err
}

// environmentHelp lists the variables that commands read, besides those of the tokens that serve explains.
func environmentHelp() [][2]string {
	return [][2]string{
		{"WHEREFORE_CATALOG", "The catalog file, where --catalog is not given."},
		{"WHEREFORE_TRACE", "If set, internal errors and faults within extractors are reported with their stack traces."},
		{"XDG_DATA_HOME", "Where the default catalog is: wherefore/catalog.db in it."},
		{"XDG_CACHE_HOME", "Where repositories that are given as URLs are cloned to: wherefore in it."},
		{"NO_COLOR", "If set, nothing is coloured."},
	}
}

// roff is a manual page in the making.
type roff struct{ strings.Builder }

func (m *roff) line(format string, args ...any) { fmt.Fprintf(&m.Builder, format+"\n", args...) }

// text writes paragraphs.
func (m *roff) text(s string) {
	for i, paragraph := range strings.Split(s, "\n\n") {
		if i > 0 {
			m.line(".PP")
		}
		m.line("%s", escapeRoff(paragraph))
	}
}

func (m *roff) flags(set *pflag.FlagSet) {
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		kind, usage := pflag.UnquoteUsage(f)
		if kind != "" {
			name += " " + kind
		}
		if d := f.DefValue; d != "" && d != "false" && d != "0" && d != "[]" {
			usage += " (default " + d + ")"
		}
		m.line(".TP\n.B %s\n%s", escapeRoff(name), escapeRoff(usage))
	})
}

func (m *roff) examples(s string) {
	if s != "" {
		m.line(".PP\n.nf\n.RS\n%s\n.RE\n.fi", escapeRoff(strings.TrimRight(s, "\n")))
	}
}

// escapeRoff keeps roff from reading text as its own: backslashes, hyphens, and dots and quotes at the start of a line.
func escapeRoff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}

// quotedRoff is s as one argument of a request.
func quotedRoff(s string) string { return `"` + strings.ReplaceAll(escapeRoff(s), `"`, `\(dq`) + `"` }

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// version is the module's version as the build recorded it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(unknown version)"
	}
	return info.Main.Version
}
