package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

//go:embed record.js
var recordJS []byte

// npmPackages are packages whose published archives hold their tests.
func npmPackages() []string {
	return strings.Fields("fastify@5.12.8 find-my-way@9.10.2 fast-json-stringify@7.3.10 light-my-request@6.8.1 qs@6.17.1 pino@10.4.0 avvio@9.3.1")
}

// parserPackage is the parser with which the recorder finds throw statements.
const parserPackage = "acorn@8.15.0"

// recordPackages runs the tests of npm packages, file by file, under a recorder that is loaded before them. What the packages
// depend on is installed beside their sources and not part of them.
func recordPackages(ctx context.Context, dir string, seconds int) (*truth, error) {
	t := &truth{name: "javascript", root: filepath.Join(dir, "npm")}
	out := filepath.Join(dir, "javascript.jsonl")
	if _, err := os.Stat(out); err != nil {
		if _, err := exec.LookPath("npm"); err != nil {
			fmt.Fprintln(os.Stderr, "javascript: npm is missing; nothing recorded")
			return t, nil
		}
		if err := runPackages(ctx, dir, t.root, out, seconds); err != nil {
			return nil, err
		}
	}
	all, err := lines(out)
	if err != nil {
		return nil, err
	}
	seen, perLine := map[string]bool{}, map[string]int{}
	for _, r := range all {
		place := fmt.Sprintf("%s:%d", r.Path, r.Line)
		if seen[place+r.Message] || perLine[place] >= maxSite {
			continue
		}
		seen[place+r.Message] = true
		perLine[place]++
		t.records = append(t.records, r)
	}
	return t, nil
}

func runPackages(ctx context.Context, dir, root, out string, seconds int) error {
	run, tools, hook := filepath.Join(dir, "npm-run"), filepath.Join(dir, "npm-tools"), filepath.Join(dir, "record.js")
	for _, d := range []string{root, run, tools} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
	}
	if err := os.WriteFile(hook, recordJS, 0o644); err != nil {
		return err
	}
	if err := npm(ctx, tools, "install", "--no-save", "--prefix", tools, parserPackage); err != nil {
		return err
	}
	for _, p := range npmPackages() {
		name := p[:strings.LastIndex(p, "@")]
		sources, at := filepath.Join(root, name), filepath.Join(run, name)
		if err := npm(ctx, run, "pack", p); err != nil {
			return err
		}
		archive := filepath.Join(run, strings.NewReplacer("@", "-").Replace(p)+".tgz")
		for _, to := range []string{sources, at} {
			if err := os.MkdirAll(to, 0o755); err != nil {
				return err
			}
			if text, err := exec.CommandContext(ctx, "tar", "xzf", archive, "-C", to, "--strip-components=1").CombinedOutput(); err != nil {
				return fmt.Errorf("unpack %s: %s", p, text)
			}
		}
		if err := withoutTools(filepath.Join(at, "package.json")); err != nil {
			return err
		}
		if err := npm(ctx, at, "install", "--ignore-scripts", "--no-package-lock", "--legacy-peer-deps"); err != nil {
			fmt.Fprintf(os.Stderr, "javascript: %s is left out: %v\n", p, err)
			if err := os.RemoveAll(sources); err != nil {
				return err
			}
			continue
		}
		env := []string{"NODE_OPTIONS=--require " + hook, "RECORD_ROOT=" + at, "RECORD_BASE=" + run, "RECORD_OUT=" + out, "RECORD_TOOLS=" + tools}
		if err := runTests(ctx, at, env, time.Duration(seconds)*time.Second); err != nil {
			return err
		}
	}
	return nil
}

// tools are development dependencies that no test loads.
var tools = regexp.MustCompile(`eslint|standard|prettier|tsd|typescript|^@types/|tstyche|^c8$|nyc|borp|bench|autocannon|husky|webpack|rollup|browserify|playwright|jest|aud$|safe-publish|licensee`)

// withoutTools drops linters, compilers and the like from what a package wants installed.
func withoutTools(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var manifest map[string]any
	if err := json.Unmarshal(text, &manifest); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	development, _ := manifest["devDependencies"].(map[string]any)
	for name := range development {
		if tools.MatchString(name) {
			delete(development, name)
		}
	}
	if text, err = json.MarshalIndent(manifest, "", "  "); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// fileTime bounds the run of one test file.
const fileTime = 20 * time.Second

// runTests runs the test files of a package one by one until the time is over.
func runTests(ctx context.Context, at string, env []string, limit time.Duration) error {
	end := time.Now().Add(limit)
	return filepath.WalkDir(at, func(path string, d fs.DirEntry, err error) error {
		if err != nil || time.Now().After(end) {
			return err
		}
		rel, err := filepath.Rel(at, path)
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "node_modules" {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasPrefix(rel, "test") || !strings.HasSuffix(rel, ".js") {
			return nil
		}
		return timed(ctx, min(fileTime, time.Until(end)+time.Second), at, env, nil, "node", rel)
	})
}

func npm(ctx context.Context, dir string, args ...string) error {
	c := exec.CommandContext(ctx, "npm", append(args, "--loglevel=error", "--no-audit", "--no-fund")...)
	c.Dir = dir
	if text, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("npm %s: %w: %s", strings.Join(args, " "), err, text)
	}
	return nil
}
