package syntax

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// declared prints what core.h and language.h say of the layouts that cross the border to tree-sitter.
const declared = `
#define SHOW(what) printf(#what " %zu\n", (size_t)(what))
#define MEMBER(type, member) printf(#type "." #member " %zu %zu\n", offsetof(type, member), sizeof(((type *)0)->member))
int main(void) {
  SHOW(sizeof(TSPoint)); MEMBER(TSPoint, row); MEMBER(TSPoint, column);
  SHOW(sizeof(TSRange)); MEMBER(TSRange, start_point); MEMBER(TSRange, end_point); MEMBER(TSRange, start_byte); MEMBER(TSRange, end_byte);
  SHOW(sizeof(TSNode)); MEMBER(TSNode, context); MEMBER(TSNode, id); MEMBER(TSNode, tree);
  SHOW(sizeof(TSTreeCursor)); MEMBER(TSTreeCursor, tree); MEMBER(TSTreeCursor, id); MEMBER(TSTreeCursor, context);
  SHOW(sizeof(TSParseState)); MEMBER(TSParseState, payload); MEMBER(TSParseState, current_byte_offset); MEMBER(TSParseState, has_error);
  SHOW(sizeof(TSParseOptions)); MEMBER(TSParseOptions, payload); MEMBER(TSParseOptions, progress_callback);
  SHOW(sizeof(TSInput)); MEMBER(TSInput, payload); MEMBER(TSInput, read); MEMBER(TSInput, encoding); MEMBER(TSInput, decode);
  SHOW(TSSymbolTypeRegular); SHOW(TSSymbolTypeAnonymous); SHOW(TSSymbolTypeSupertype); SHOW(TSSymbolTypeAuxiliary);
  SHOW(TSInputEncodingUTF8);
}
`

// declaredLanguage prints the layout of a grammar up to where its ABI goes.
const declaredLanguage = `
#define MEMBER(member) printf(#member " %zu %zu\n", offsetof(LANGUAGE, member), sizeof(((LANGUAGE *)0)->member))
int main(void) {
  MEMBER(symbol_count); MEMBER(alias_count); MEMBER(field_count); MEMBER(max_alias_sequence_length); MEMBER(keyword_capture_token);
  MEMBER(external_scanner); MEMBER(external_scanner.states); MEMBER(external_scanner.symbol_map); MEMBER(external_scanner.create);
  MEMBER(external_scanner.destroy); MEMBER(external_scanner.scan); MEMBER(external_scanner.serialize);
  MEMBER(external_scanner.deserialize); MEMBER(primary_state_ids);
#if ABI < 15
  printf("all %zu\n", HERE(offsetof(LANGUAGE, name), sizeof(LANGUAGE)));
#else
  MEMBER(name); MEMBER(reserved_words); MEMBER(max_reserved_word_set_size); MEMBER(supertype_count); MEMBER(metadata);
  printf("all %zu\n", sizeof(LANGUAGE));
#endif
}
`

// core.h and language.h repeat what headers of other modules declare. Compiling them together with these headers shows whether the
// functions are the same, and what each prints whether the types are.
func TestDeclarationsAreTheCores(t *testing.T) {
	core := filepath.Join(moduleDir(t, "github.com/tree-sitter/go-tree-sitter"), "include")
	ours := run(t, "#include <stdio.h>\n#include <stddef.h>\n#include \"core.h\"\n"+declared)
	theirs := run(t, "#include <stdio.h>\n#include <stddef.h>\n#include <tree_sitter/api.h>\n"+
		"#define WF_CORE_TYPES_DECLARED\n#include \"core.h\"\n"+declared, "-I"+core)
	if ours != theirs || !strings.Contains(ours, "sizeof(TSNode)") {
		t.Errorf("core.h says\n%s\nand tree-sitter\n%s", ours, theirs)
	}
	for abi, source := range map[string]string{
		"14": filepath.Join(moduleDir(t, "github.com/tree-sitter/tree-sitter-typescript"), "typescript", "src"),
		"15": filepath.Join(moduleDir(t, "github.com/tree-sitter/tree-sitter-python"), "src"),
	} {
		ours := run(t, "#include <stdio.h>\n#include <stddef.h>\n#include \"language.h\"\n#define LANGUAGE wf_language\n"+
			"#define HERE(ours, theirs) ours\n"+declaredLanguage, "-DABI="+abi)
		theirs := run(t, "#include <stdio.h>\n#include <stddef.h>\n#include <tree_sitter/parser.h>\n#define LANGUAGE TSLanguage\n"+
			"#define HERE(ours, theirs) theirs\n"+declaredLanguage, "-DABI="+abi, "-I"+source)
		if ours != theirs || !strings.Contains(ours, "external_scanner.serialize") {
			t.Errorf("language.h says of ABI %s\n%s\nand the grammar\n%s", abi, ours, theirs)
		}
	}
}

func moduleDir(t *testing.T, module string) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatalf("go list %s: %v", module, err)
	}
	return strings.TrimSpace(string(out))
}

// run compiles a C program beside this package's headers with the compiler of cgo, and returns what it prints.
func run(t *testing.T, program string, arguments ...string) string {
	t.Helper()
	cc, err := exec.Command("go", "env", "CC").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	source, binary := filepath.Join(dir, "main.c"), filepath.Join(dir, "main")
	if err := os.WriteFile(source, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	command := append(strings.Fields(string(cc)), append([]string{"-std=c11", "-Wall", "-Wno-unused-function", "-Werror", "-I."}, append(arguments, source, "-o", binary)...)...)
	if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(binary).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
