package export

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/index"
	"github.com/wherefore-dev/wherefore/internal/lang/all"
	"github.com/wherefore-dev/wherefore/internal/match"
	"github.com/wherefore-dev/wherefore/internal/service"
)

const shapes = `def check(name, size, limit, kind):
    if size > limit:
        raise ValueError(f"segment {name!r} has {size} bytes, more than {limit}")
    if size < 0:
        raise EOFError("a length below zero makes no sense here\n")
    if not name:
        raise LookupError("the registry knows no entry\nof that name: give one of\n%s\n" % kind)
    if kind == "x":
        raise TypeError("kind %s/%d of braces {} is unsupported by %s" % (kind, size, name))
    if kind == "y":
        raise OSError("打开文件" + name + "失败了")
    if kind == "z":
        raise RuntimeError("Gerät " + name + " ließ sich nicht öffnen")
    if kind == "w":
        raise NameError("  indented complaint about " + name)
    if kind == "v":
        raise ArithmeticError(name + " divided by nothing at all")
    if kind == "u":
        raise BufferError("stage: phase: " + name + ": buffer went away")
    if kind == "t":
        raise SyntaxError("template ends before {{end}} of block " + name)
`

// printed are messages of shapes, as Python prints them.
func printed() map[string]string {
	return map[string]string{
		"ValueError":      "segment 'blue' has 9 bytes, more than 8",
		"EOFError":        "a length below zero makes no sense here\n",
		"LookupError":     "the registry knows no entry\nof that name: give one of\nred, green\n",
		"TypeError":       "kind x/9 of braces {} is unsupported by blue",
		"OSError":         "打开文件a.txt失败了",
		"RuntimeError":    "Gerät blue ließ sich nicht öffnen",
		"NameError":       "  indented complaint about blue",
		"ArithmeticError": "blue divided by nothing at all",
		"BufferError":     "stage: phase: blue: buffer went away",
		"SyntaxError":     "template ends before {{end}} of block blue",
	}
}

// The script finds what the server finds, for messages as they are printed: alone, in a line of a log, and at the end of a traceback.
func TestSearchFindsWhatMatchFinds(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("node is missing; .ci/run installs it")
		}
		t.Skip("node is missing")
	}
	p, dir := open(t), t.TempDir()
	p.write(shapes)
	p.export(dir)
	s, err := service.Open(context.Background(), p.catalog, service.Options{Languages: all.Languages(), Traces: all.Traces(),
		Sources: index.NewSources(all.Languages(), t.TempDir())})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	list, err := s.List(context.Background(), service.Query{Repo: "acme/shop", Limit: 100})
	if err != nil || len(list.Errors) != 10 {
		t.Fatalf("%d errors, %v: %+v", len(list.Errors), err, list.Errors)
	}
	var texts, ids []string
	for _, e := range list.Errors {
		message := printed()[e.Type]
		for _, text := range []string{message, "2026-01-02 03:04:05,678 ERROR worker: " + e.Type + ": " + message,
			"2026/01/02 03:04:05 " + message,
			"Traceback (most recent call last):\n  File \"shop.py\", line 3, in check\n    raise\n" + e.Type + ": " + message} {
			if finds(t, s, text, e.ID) {
				texts, ids = append(texts, text), append(ids, e.ID)
			}
		}
	}
	if len(texts) < 36 {
		t.Fatalf("the server finds %d of 40", len(texts))
	}
	for i, found := range searchAll(t, node, dir, texts) {
		if !slices.Contains(found, ids[i]) {
			t.Errorf("the server finds %s in %q, the script finds %v", ids[i], texts[i], found)
		}
	}
}

func finds(t *testing.T, s *service.Service, text, id string) bool {
	answer, err := s.Find(context.Background(), text, match.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(answer.Observations, func(o api.Observation) bool {
		return o.Decision != api.Refused && slices.ContainsFunc(o.Candidates, func(c api.Candidate) bool { return c.Error == id })
	})
}

// searchAll runs the script of an exported site on each text and returns the ids that it finds.
func searchAll(t *testing.T, node, dir string, texts []string) [][]string {
	const driver = `
const fs = require('fs')
const [, dir, file] = process.argv
const { find } = require(dir + '/static/search.js')
const read = name => JSON.parse(fs.readFileSync(dir + '/search/' + name + '.json'))
const { shards } = read('index')
Promise.all(JSON.parse(fs.readFileSync(file)).map(t => find(t, shards, async n => read(n))))
  .then(all => console.log(JSON.stringify(all.map(r => r.map(e => e.i)))))`
	data, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "texts.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(node, "-e", driver, dir, file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var found [][]string
	if err := json.Unmarshal(out, &found); err != nil || len(found) != len(texts) {
		t.Fatalf("%d answers, %v: %s", len(found), err, out)
	}
	return found
}
