package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

//go:embed record.cpp.txt
var recordCPP []byte

// cppTests are the tests of nlohmann/json that are run: those that throw much and need no data besides their own.
func cppTests() []string {
	return strings.Fields(`element_access1 json_pointer modifiers bson deserialization element_access2 class_parser iterators1 json_patch constructor1
		serialization conversions reference_access cbor ubjson bjdata msgpack`)
}

// recordCpp builds and runs tests of the checkout of nlohmann/json that the environment names as CPP_SOURCES, each with a throw function
// that records who called it. Each is one compilation of about half a minute; the time is shared by all.
func recordCpp(ctx context.Context, dir string, seconds int) (*truth, error) {
	checkout := os.Getenv("CPP_SOURCES")
	t := &truth{name: "cpp", root: filepath.Join(checkout, "include")}
	if _, err := exec.LookPath("g++"); err != nil || checkout == "" {
		fmt.Fprintln(os.Stderr, "cpp: g++ or CPP_SOURCES, a checkout of nlohmann/json, is missing; nothing recorded")
		return t, nil
	}
	build := filepath.Join(dir, "cpp")
	if _, err := os.Stat(build); err != nil {
		if err := runCpp(ctx, checkout, build, 4*time.Duration(seconds)*time.Second); err != nil {
			return nil, err
		}
	}
	logs, err := filepath.Glob(filepath.Join(build, "*.rec"))
	if err != nil {
		return nil, err
	}
	seen, perLine := map[string]bool{}, map[string]int{}
	for _, log := range logs {
		thrown, err := readCpp(ctx, log, t.root)
		if err != nil {
			return nil, err
		}
		for _, r := range thrown {
			place := fmt.Sprintf("%s:%d", r.Path, r.Line)
			if key := place + r.Message; !seen[key] && perLine[place] < maxSite {
				seen[key] = true
				perLine[place]++
				t.records = append(t.records, r)
			}
		}
	}
	return t, nil
}

// runCpp builds and runs as many of the tests as the time allows.
func runCpp(ctx context.Context, root, build string, limit time.Duration) error {
	if err := os.MkdirAll(build, 0o755); err != nil {
		return err
	}
	hook := filepath.Join(build, "record.cpp")
	if err := os.WriteFile(hook, recordCPP, 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(build, "test_data.hpp"), []byte("#define TEST_DATA_DIRECTORY \".\"\n"), 0o644); err != nil {
		return err
	}
	flags := []string{"-std=c++17", "-g1", "-O0", "-no-pie", "-Wno-deprecated", "-Wl,--wrap=__cxa_throw", "-DDOCTEST_CONFIG_NO_POSIX_SIGNALS", "-I" + build}
	for _, folder := range []string{"include", "tests/thirdparty/doctest", "tests/thirdparty/fifo_map"} {
		flags = append(flags, "-I"+filepath.Join(root, folder))
	}
	main := filepath.Join(build, "unit.o")
	compile := append(append([]string{}, flags...), "-c", filepath.Join(root, "tests/src/unit.cpp"), "-o", main)
	if err := timed(ctx, limit, build, nil, nil, "g++", compile...); err != nil {
		return err
	}
	started := time.Now()
	for _, name := range cppTests() {
		program, left := filepath.Join(build, name), limit-time.Since(started)
		if left <= 0 {
			break
		}
		args := append(append([]string{}, flags...), filepath.Join(root, "tests/src/unit-"+name+".cpp"), main, hook, "-o", program)
		if err := timed(ctx, left, build, nil, nil, "g++", args...); err != nil {
			return err
		}
		if _, err := os.Stat(program); err != nil {
			continue // it did not compile in its time
		}
		if err := timed(ctx, left, build, []string{"RECORD=" + program + ".rec"}, nil, program); err != nil {
			return err
		}
	}
	return nil
}

// readCpp reads what one test threw: addresses become lines by the program's own line table.
func readCpp(ctx context.Context, log, root string) ([]record, error) {
	data, err := os.ReadFile(log)
	if err != nil {
		return nil, err
	}
	type thrown struct{ typ, what string }
	calls := map[uint64]map[thrown]bool{}
	var order []uint64
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		if len(fields) != 3 {
			continue
		}
		address, err := strconv.ParseUint(strings.TrimPrefix(fields[0], "0x"), 16, 64)
		typ, bad := hex.DecodeString(fields[1])
		what, worse := hex.DecodeString(fields[2])
		if err != nil || bad != nil || worse != nil {
			continue
		}
		if calls[address] == nil {
			calls[address] = map[thrown]bool{}
			order = append(order, address)
		}
		calls[address][thrown{string(typ), string(what)}] = true
	}
	var in bytes.Buffer
	for _, address := range order {
		fmt.Fprintf(&in, "0x%x\n", address-1) // the call, not what follows it
	}
	c := exec.CommandContext(ctx, "addr2line", "-f", "-C", "-e", strings.TrimSuffix(log, ".rec"))
	c.Stdin = &in
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("addr2line: %w", err)
	}
	places := strings.Split(string(out), "\n")
	var records []record
	for i, address := range order {
		if 2*i+1 >= len(places) {
			break
		}
		file, number, _ := strings.Cut(places[2*i+1], ":")
		number, _, _ = strings.Cut(number, " ")
		n, err := strconv.Atoi(number)
		path, inside := strings.CutPrefix(filepath.Clean(file), filepath.Clean(root)+"/")
		if err != nil || !inside {
			continue // what the tests themselves throw is not of the library
		}
		if handed(file, n) {
			continue // made elsewhere, where its text is
		}
		for t := range calls[address] {
			trace := fmt.Sprintf("terminate called after throwing an instance of '%s'\n  what():  %s\n#0  0x%x in %s at %s:%d\n", t.typ, t.what, address, places[2*i], file, n)
			records = append(records, record{Type: t.typ, Message: t.what, Path: path, Line: n, Traceback: trace})
		}
	}
	return records, nil
}

// handed reports whether a line throws a value that was handed to it.
func handed(path string, line int) bool {
	data, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	all := strings.Split(string(data), "\n")
	return line <= len(all) && regexp.MustCompile(`(?i)throw[ (]*\w+\)?;`).MatchString(all[line-1])
}
