// A scanner of a grammar that is written by hand keeps its state as bytes, for which the core has a buffer of 1,024. Not every scanner
// keeps to that: one that writes two bytes for each open block goes a byte too far at the 511th, and the core ends the process over
// it. So a grammar is used through a copy whose scanner writes to a larger buffer first.
#include "shim.h"

#include <stddef.h>
#include <string.h>

enum { STATE_BYTES = 1024 };

_Thread_local wf_run *wf_running;

// serialize stands in for the scanner's own function. A state that is too long is dropped, and the parse with it at its next check.
static unsigned serialize(void *scanner, char *out) {
  char state[4 * STATE_BYTES];
  unsigned n = wf_running->grammar->serialize(scanner, state);
  if (n > STATE_BYTES) {
    wf_running->status = WF_SCANNER;
    return 0;
  }
  memcpy(out, state, n);
  return n;
}

// wf_grammar_new returns a grammar with room for its symbols, which the caller fills in and frees; NULL without memory.
wf_grammar *wf_grammar_new(const TSLanguage *language) {
  const wf_language *from = (const wf_language *)language;
  size_t size = from->abi_version < 14   ? offsetof(wf_language, primary_state_ids)
                : from->abi_version < 15 ? offsetof(wf_language, name)
                                         : sizeof(wf_language);
  uint32_t symbols = ts_language_symbol_count(language);
  wf_grammar *g = calloc(1, sizeof(wf_grammar) + symbols * sizeof(wf_symbol));
  if (!g) return NULL;
  memcpy(&g->language, from, size);
  g->symbol_count = symbols;
  g->symbols = (wf_symbol *)(g + 1);
  if (from->external_scanner.serialize) {
    g->serialize = from->external_scanner.serialize;
    g->language.external_scanner.serialize = serialize;
  }
  return g;
}
