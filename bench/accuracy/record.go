package main

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// recorder runs a test suite and returns the errors that happened in it; none where what it needs is missing.
type recorder struct {
	name string // of its truth
	run  func(ctx context.Context, dir string, seconds int) (*truth, error)
}

func recorders() []recorder {
	return []recorder{{"python", recordPython}, {"go", recordGo}, {"javascript", recordPackages}, {"cpp", recordCpp}}
}

//go:embed record.py
var recordPy []byte

// pythonTests are the modules of the library's tests that are run: those that raise much and touch neither network nor screen.
func pythonTests() []string {
	return strings.Fields(`test_json test_argparse test_configparser test_decimal test_datetime test_fractions test_ipaddress test_csv
		test_zipfile test_tarfile test_uuid test_urlparse test_statistics test_plistlib test_struct test_textwrap test_string test_shlex
		test_random test_pickle test_enum test_dataclasses test_typing test_inspect test_ast test_collections test_functools test_base64
		test_binascii test_bisect test_calendar test_codecs test_contextlib test_copy test_difflib test_dis test_email test_filecmp
		test_fnmatch test_getopt test_gettext test_glob test_gzip test_hashlib test_heapq test_hmac test_html test_http_cookies
		test_imaplib test_io test_itertools test_locale test_logging test_mailbox test_mimetypes test_numeric_tower test_optparse
		test_pathlib test_pprint test_queue test_quopri test_reprlib test_sched test_selectors test_shelve test_shutil test_smtplib
		test_sqlite3 test_ssl test_stat test_strptime test_tempfile test_time test_timeit test_tokenize test_traceback test_types
		test_unicodedata test_unittest test_urllib test_wave test_weakref test_weakset test_wsgiref test_xmlrpc test_zipapp test_zipimport`)
}

// recordPython runs tests of the standard library of the Python on this machine.
func recordPython(ctx context.Context, dir string, seconds int) (*truth, error) {
	python := os.Getenv("PYTHON")
	if python == "" {
		python = "python3"
	}
	lib, err := exec.CommandContext(ctx, python, "-c", "import sysconfig, os; print(os.path.realpath(sysconfig.get_paths()['stdlib']))").Output()
	if err != nil {
		return nil, fmt.Errorf("python: %w", err)
	}
	t := &truth{name: "python", root: filepath.Join(dir, "python-lib")}
	out := filepath.Join(dir, "python.jsonl")
	if _, err := os.Stat(t.root); err != nil {
		// Packages that are installed beside the library are not part of it.
		copy := exec.CommandContext(ctx, "cp", "-r", strings.TrimSpace(string(lib)), t.root)
		if text, err := copy.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("copy the library: %s", text)
		}
		if err := os.RemoveAll(filepath.Join(t.root, "site-packages")); err != nil {
			return nil, err
		}
	}
	if _, err := os.Stat(out); err != nil {
		script := filepath.Join(dir, "record.py")
		if err := os.WriteFile(script, recordPy, 0o644); err != nil {
			return nil, err
		}
		work, err := os.MkdirTemp(dir, "work-")
		if err != nil {
			return nil, err
		}
		args := append([]string{script, out, strconv.Itoa(seconds)}, pythonTests()...)
		if err := timed(ctx, time.Duration(2*seconds)*time.Second, work, nil, nil, python, args...); err != nil {
			return nil, err
		}
	}
	all, err := lines(out)
	for _, r := range all {
		// What the tests themselves raise is not of the library.
		if !strings.HasPrefix(r.Path, "test/") && !strings.Contains(r.Path, "/test/") {
			t.records = append(t.records, r)
		}
	}
	return t, err
}

// goTests are the packages of the standard library whose tests are run.
func goTests() []string {
	return strings.Fields(`archive/tar archive/zip bufio bytes compress/... database/sql encoding/... errors flag fmt go/... html/template
		image/... io/... log/slog mime/... net/mail net/netip net/textproto net/url os/exec path/filepath reflect regexp/... strconv
		strings text/template time debug/elf debug/dwarf encoding/json math/big index/suffixarray net/http/cookiejar internal/profile`)
}

// recordGo runs tests of Go's standard library with errors.New and fmt.Errorf instrumented through a build overlay: they print the
// place of their caller and the text to the standard error.
func recordGo(ctx context.Context, dir string, seconds int) (*truth, error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	src := filepath.Join(strings.TrimSpace(string(root)), "src")
	t := &truth{name: "go", root: src}
	log := filepath.Join(dir, "go.log")
	if _, err := os.Stat(log); err != nil {
		overlay, err := writeOverlay(dir, src)
		if err != nil {
			return nil, err
		}
		out, err := os.Create(log)
		if err != nil {
			return nil, err
		}
		defer out.Close()
		args := append([]string{"test", "-v", "-short", "-vet=off", "-p", "1", "-timeout", "60s", "-overlay", overlay}, goTests()...)
		if err := timed(ctx, time.Duration(4*seconds)*time.Second, src, []string{"GOFLAGS="}, out, "go", args...); err != nil {
			return nil, err
		}
	}
	t.records, err = readGoLog(log, src)
	return t, err
}

const recordFunc = `
func WhereforeRecord(text string, skip int) {
	pc, file, line, ok := runtime.Caller(skip)
	if !ok || len(text) > 2000 {
		return
	}
	const digits = "0123456789abcdef"
	b := make([]byte, 0, 2*len(text))
	for i := 0; i < len(text); i++ {
		b = append(b, digits[text[i]>>4], digits[text[i]&15])
	}
	println("\n@wherefore", file, line, string(b), runtime.FuncForPC(pc).Name())
}
`

// writeOverlay writes the instrumented files and the overlay that names them.
func writeOverlay(dir, src string) (string, error) {
	replace := map[string]string{}
	edit := func(name string, change func(string) string) error {
		text, err := os.ReadFile(filepath.Join(src, name))
		if err != nil {
			return err
		}
		changed := change(string(text))
		if changed == string(text) {
			return fmt.Errorf("%s has changed: it cannot be instrumented as it is", name)
		}
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		replace[filepath.Join(src, name)] = file
		return os.WriteFile(file, []byte(changed), 0o644)
	}
	err := edit("errors/errors.go", func(s string) string {
		s = strings.Replace(s, "\npackage errors\n", "\npackage errors\n\nimport \"runtime\"\n", 1)
		return strings.Replace(s, "func New(text string) error {\n", "func New(text string) error {\n\tWhereforeRecord(text, 2)\n", 1) + recordFunc
	})
	if err != nil {
		return "", err
	}
	err = edit("fmt/errors.go", func(s string) string {
		return strings.Replace(s, "func Errorf(format string, a ...any) (err error) {", `func Errorf(format string, a ...any) (err error) {
	err = wherefore(format, a...)
	errors.WhereforeRecord(err.Error(), 2)
	return err
}

func wherefore(format string, a ...any) (err error) {`, 1)
	})
	if err != nil {
		return "", err
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, data, 0o644)
}

// maxSite is how many records of one line are kept.
const maxSite = 25

// instrumented reports whether a file is one that was changed: its lines are not those of the sources.
func instrumented(path string) bool {
	return strings.HasSuffix(path, "/fmt/errors.go") || strings.HasSuffix(path, "/errors/errors.go")
}

// readGoLog reads the lines that the instrumented functions printed. What test files make are the errors that they expect, not ones
// that were raised.
func readGoLog(path, src string) ([]record, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	seen, perLine := map[string]bool{}, map[string]int{}
	var out []record
	in := bufio.NewReaderSize(f, 1<<20)
	for {
		line, err := in.ReadString('\n')
		fields := strings.Fields(line)
		if len(fields) == 5 && fields[0] == "@wherefore" && strings.HasPrefix(fields[1], src+"/") && !instrumented(fields[1]) && !strings.HasSuffix(fields[1], "_test.go") {
			text, bad := hex.DecodeString(fields[3])
			place := fields[1] + ":" + fields[2]
			if bad == nil && !seen[place+string(text)] && perLine[place] < maxSite && strings.TrimSpace(string(text)) != "" {
				seen[place+string(text)] = true
				perLine[place]++
				n, _ := strconv.Atoi(fields[2])
				rel := strings.TrimPrefix(fields[1], src+"/")
				trace := fmt.Sprintf("panic: %s\n\ngoroutine 1 [running]:\n%s(...)\n\t%s:%d +0x1d\n", text, fields[4], fields[1], n)
				out = append(out, record{Message: string(text), Path: rel, Line: n, Traceback: trace})
			}
		}
		if err != nil {
			return out, nil
		}
	}
}
