package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets scripts run kvplan as a program.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"kvplan": main})
}

// TestScripts runs the scripts: what a person types, and all that comes out.
func TestScripts(t *testing.T) {
	const dir = "testdata/script"
	if files, _ := filepath.Glob(dir + "/*.txtar"); len(files) == 0 {
		t.Fatal("no scripts")
	}
	testscript.Run(t, testscript.Params{Dir: dir, UpdateScripts: os.Getenv("UPDATE") != ""})
}

// call runs a command line given as one string.
func call(line string) (status int, out, errOut string) {
	var o, e bytes.Buffer
	status = run(strings.Fields(line), strings.NewReader(""), &o, &e)
	return status, o.String(), e.String()
}

const (
	m1 = " --ratios 0,4,128,4"
	m2 = " --ratios 0,0,4,128,4,128,4,0"
	m3 = " --ratios 128,4,128,4,128,4"
	m4 = " --ratios 0,0,0"
	m5 = " --ratios 4,4,4,4"
	m6 = " --ratios 128,128"
)

// TestSliceAnswers holds answers to one line of indices, exit status 0 and silence beside.
func TestSliceAnswers(t *testing.T) {
	for line, want := range map[string]string{
		m1 + " --stage 1:3 --type kv --src 3 --dst 5":              "0 2 4",
		m1 + " --stage 0:2 --src 2 --dst 5":                        "0 2",
		m1 + " --stage 3:4 --type kv --src 2 --dst 5":              "1 3",
		m2 + " --stage 0:4 --type kv --src 3 --dst 8":              "0 3 6",
		m2 + " --stage 4:8 --type kv --src 5 --dst 8":              "1 2 4 5 7",
		m2 + " --stage 0:2 --type kv --src 0 --dst 8":              "",
		m2 + " --stage 0:4 --type swa --src 6 --dst 14":            "0 1 2 3 8 11",
		m2 + " --stage 4:8 --type swa --src 8 --dst 14":            "4 5 6 7 9 10 12 13",
		m2 + " --stage 4:8 --type swa --src 7 --dst 13":            "4 5 6 8 9 11 12",
		m2 + " --stage 7:8 --type swa --src 0 --dst 13":            "",
		m2 + " --stage 4:8 --type swa --src 4 --dst 6":             "1 2 4 5",
		m2 + " --stage 4:8 --type c128 --src 1 --dst 2":            "1",
		m2 + " --stage 4:8 --type swa-ring --src 3 --dst 7":        "4 5 6",
		m3 + " --stage 2:4 --type kv --src 3 --dst 9":              "1 4 7",
		m4 + " --stage 1:2 --type swa --src 1 --dst 3":             "1",
		m5 + " --stage 1:3 --type kv --src 4 --dst 8":              "1 2 5 6",
		m6 + " --stage 1:2 --type kv --src 1 --dst 2":              "1",
		m2 + " --stage 4: --type swa-ring --src 8 --dst 8":         "0 1 2 3 4 5 6 7",
		m2 + " --stage 4:8 --type dsa --src 5 --dst 8":             "1 2 4 5 7",
		m2 + " --stage 0:4 --type swa --src 4 --dst 8":             "0 1 2 5",
		m2 + " --stage 0:4 --rule old --type swa --src 7 --dst 16": "0 1 2 3 8 9 13",
		" --stage 2:5 --type dsa --src 3 --dst 8":                  "2 3 4",
		" --stage 2: --type mla --src 3 --dst 8":                   "2 3 4",
		" --stage 2:4 --type mha --src 4 --dst 8":                  "2 3 6 7",
		" --stage 2:4 --type mha --src 4 --dst 10":                 "2 3 6 7",
		m1 + " --stage 2:4 --type mha --src 4 --dst 8":             "2 3 6 7",
	} {
		for _, mode := range []string{"", " --mode compatible", " --mode strict --layers 4"} {
			status, out, errOut := call("slice" + line + mode)
			if status != 0 || out != want+"\n" || errOut != "" {
				t.Errorf("slice%s%s: status %d, %q, %q", line, mode, status, out, errOut)
			}
		}
	}
}

// TestSliceErrors holds errors to exit status 1, nothing on standard output, and exactly the message on standard error.
func TestSliceErrors(t *testing.T) {
	length := func(figures string) string {
		n := strings.Fields(figures)
		return "Unexpected compressed-MLA dst_kv_ptrs length " + n[0] + "; expected either " + n[1] + " (kv_data) or swa_L + " + n[2] +
			" (state_data) given compression_ratios (c4=" + n[3] + ", c128=" + n[4] + ", total=" + n[5] + ")."
	}
	for line, want := range map[string]string{
		m2 + " --stage 0:4 --type kv --src 3 --dst 5":               length("5 8 6 3 2 8"),
		m2 + " --stage 0:4 --type kv --src 3 --dst 15":              length("15 8 6 3 2 8"),
		m2 + " --stage 4:8 --type kv --src 5 --dst 0":               length("0 8 6 3 2 8"),
		m1 + " --stage 1:3 --type kv --src 3 --dst 9":               length("9 5 4 2 1 4"),
		m1 + " --stage 1:3 --type kv --src 3 --dst 9 --mode strict": length("9 5 4 2 1 4"),
		m6 + " --stage 0:1 --type kv --src 1 --dst 3":               length("3 2 0 0 2 2"),
		m4 + " --stage 0:1 --type swa --src 1 --dst 4":              length("4 0 0 0 0 3"),
		m2 + " --stage 4:8 --type swa --src 1 --dst 3":              length("3 8 6 3 2 8"),
		m2 + " --stage 0:4 --type dsa --src 3 --dst 5":              length("5 8 6 3 2 8"),
		m2 + " --stage 0:4 --type swa --src 7 --dst 17 --rule old":  length("17 8 8 3 2 8"),
		m2 + " --stage 0: --type c128 --src 1 --dst 8":              "KVArgs.prefill_end_layer must be set when using compressed-MLA PD with PP",
		m2 + " --stage 4:8 --type swa --src 8 --dst 15 --rule old": "prefill_end_layer (8) exceeds dst SWA pool buffer count (7); compression_ratios may include layers " +
			"(e.g. nextn) that the SWA pool does not cover.",
		" --stage 3:5 --type mha --src 4 --dst 8 --mode strict": "keys of layers 3:5 reach into the values, which begin at entry 4 of the destination",
	} {
		status, out, errOut := call("slice" + line)
		if status != 1 || out != "" || errOut != want+"\n" {
			t.Errorf("slice%s: status %d, %q, %q", line, status, out, errOut)
		}
	}
}

// TestUsage holds wrong usage to exit status 2, nothing on standard output and a reason.
func TestUsage(t *testing.T) {
	for _, line := range []string{
		"", "cut", "slice", "slice --stage 1:3 --src 3", "slice --stage 1:3 --src 3 --dst 5", "slice --stage 1:3 --src 3 --dst 5 extra",
		"slice --ratios 0,x --stage 1:3 --src 3 --dst 5", "slice --ratios 0,3 --stage 1:3 --src 3 --dst 5", "slice --ratios 0,,4 --stage 0:1 --src 1 --dst 2",
		"slice --ratios 0,4 --stage 3 --src 3 --dst 5", "slice --ratios 0,4 --stage 3:1 --src 3 --dst 5", "slice --ratios 0,4 --stage -1:1 --src 3 --dst 5",
		"slice --ratios 0,4 --stage 0:1 --src -3 --dst 5", "slice --ratios 0,4 --stage 0:1 --src 3 --dst 5000000", "slice --ratios 0,4 --stage 0:1 --src 3 --dst x",
		"slice --ratios 0,4 --stage 0:1 --src 3 --dst 5 --type gqa", "slice --ratios 0,4 --stage 0:1 --src 3 --dst 5 --rule older",
		"slice --ratios 0,4 --stage 0:1 --src 3 --dst 5 --mode loose", "slice --ratios 0,4 --stage 0:1 --src 3 --dst 5 --colour",
		"explain", "plan", "plan --ratios 0,4 --stage 0:9", "plan --ratios 0,4 --src-pages 4-2", "plan --ratios 0,4 --dst-pages x",
		"plan --ratios 0,4 --src-pages 0-9999999", "plan --ratios 0,4 --model m.json", "plan --model no-such-file", "plan --ratios 0,4 --stages -1",
		"plan --ratios 0,4 --rule x", "plan --ratios 0,4 --mode x", "plan --ratios 4 --decode-ratios 5", "layout", "layout --ratios 4 --tp 0",
		"layout --ratios 4 --form next", "layout --ratios 4 --stage 0",
	} {
		status, out, errOut := call(line)
		if status != 2 || out != "" || !strings.HasPrefix(errOut, "kvplan: ") || !strings.Contains(errOut, "--help'.") {
			t.Errorf("%q: status %d, %q, %q", line, status, out, errOut)
		}
	}
	if status, out, _ := call("--help"); status != 0 || !strings.Contains(out, "slice") {
		t.Errorf("--help: status %d, %q", status, out)
	}
}

// TestJSON holds every command's JSON to be one object, also where the answer is an error.
func TestJSON(t *testing.T) {
	for line, want := range map[string]string{
		"slice" + m1 + " --stage 1:3 --src 3 --dst 5":                    `"indices":[0,2,4]`,
		"slice" + m2 + " --stage 0:2 --src 0 --dst 8":                    `"indices":[]`,
		"slice" + m1 + " --stage 1:3 --src 3 --dst 9":                    `"figures":{"length":9,"kv_data":5,"states":4,"c4":2,"c128":1,"total":4,"rule":"new","type":"kv"},"surplus":1}`,
		"slice" + m2 + " --stage 1: --src 3 --dst 9":                     `"sglang":"AssertionError"`,
		"slice" + m2 + " --stage 4:8 --type c128 --src 1 --dst 0":        `"note":"0 entries for 1 of prefill`,
		"plan" + m1 + " --stage 1:3":                                     `"read_as":"kv_data"`,
		"plan" + m1 + " --stage 1:3 --decode-form old":                   `"name":"LayoutError"`,
		"plan" + m2 + " --stage 0:4 --decode-form old --mode compatible": `"accepted":[{"read_as":"unchanged","min":6,"max":6},{"read_as":"state_data","min":6,"max":14}]`,
		"layout" + m1: `"name":"kv/c4.kv/1"`,
		"explain KVArgs.prefill_end_layer must be set when using compressed-MLA PD with PP": `"type":"AssertionError"`,
		"explain nothing": `{"explanations":[]}`,
	} {
		_, out, _ := call(line + " --json")
		var v map[string]any
		dec := json.NewDecoder(strings.NewReader(out))
		if err := dec.Decode(&v); err != nil || dec.More() || !strings.Contains(out, want) || strings.Count(out, "\n") != 1 {
			t.Errorf("%s: %v, %s", line, err, out)
		}
	}
}
