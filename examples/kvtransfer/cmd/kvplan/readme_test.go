package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestReadme runs every kvplan command of the README and holds what it shows to what is printed. A command's output is what follows it up to the
// next command or the end of the block, of both streams.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	for _, block := range strings.Split(string(text), "```console\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		for _, part := range strings.Split("\n"+block, "\n$ kvplan ")[1:] {
			line, want, _ := strings.Cut(part, "\n")
			var out bytes.Buffer
			run(words(line), strings.NewReader(""), &out, &out)
			if got := strings.TrimSuffix(out.String(), "\n"); got != strings.TrimSuffix(want, "\n") {
				t.Errorf("kvplan %s prints\n%s\nthe README has\n%s", line, got, want)
			}
			commands++
		}
	}
	if commands < 5 {
		t.Errorf("only %d commands in the README", commands)
	}
}

// words splits a command line at blanks outside of double quotes.
func words(line string) []string {
	var out []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			out = append(out, part)
			continue
		}
		out = append(out, strings.Fields(part)...)
	}
	return out
}
