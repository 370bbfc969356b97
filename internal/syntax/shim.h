// The one call that this package adds to tree-sitter's C library: a text in, a flat tree out.
#ifndef WF_SHIM_H
#define WF_SHIM_H

#include "core.h"
#include "language.h"

// wf_node is a node in preorder; its layout is that of Node in Go.
typedef struct {
  uint32_t start, end, row, size, parent;
  uint16_t symbol, field;
  uint8_t flags;
} wf_node;

enum { WF_NAMED = 1, WF_ERROR = 2, WF_MISSING = 4, WF_HAS_ERROR = 8, WF_EXTRA = 16, WF_CUT = 32 };

// What ended a call. WF_TOO_MANY and WF_CUT_SHORT come with a tree, the others after WF_OK without one.
enum {
  WF_OK, WF_TOO_MANY, WF_CUT_SHORT, WF_TIMEOUT, WF_CANCELED, WF_MEMORY, WF_SCANNER, WF_RANGES, WF_LANGUAGE
};

// wf_symbol is what becomes of a symbol of the grammar in a flat tree.
typedef struct { uint16_t canonical; uint8_t flags; } wf_symbol;

// wf_grammar is a grammar whose scanner keeps within the core's buffer (see grammar.c), with its symbols.
typedef struct {
  wf_language language;
  unsigned (*serialize)(void *, char *);
  uint32_t symbol_count;
  wf_symbol *symbols; // behind it in the same block
} wf_grammar;

typedef struct {
  uint64_t timeout_ns;
  uint64_t memory;       // bytes
  uint32_t nodes, depth; // of the flat tree; 0 nodes: no flat tree is made
} wf_limits;

// wf_result is what a call leaves behind. nodes is NULL where the caller's buffer held them all; otherwise the caller frees it.
typedef struct {
  wf_node *nodes;
  uint32_t count;
  int64_t peak;   // bytes held by the core at the most, as seen about every twenty microseconds
  bool cut;       // some node is WF_CUT
  int64_t leaked; // bytes still held by the core at the end: 0
} wf_result;

// wf_run is one call under way.
typedef struct {
  const wf_grammar *grammar;
  const char *text;
  uint32_t length;
  const TSRange *ranges;
  uint32_t range_count;
  const uint32_t *cancel; // not 0 there: stop; may be NULL
  wf_limits limits;
  uint64_t deadline_ns;
  wf_node *room; // the caller's buffer
  uint32_t room_count;
  uint32_t chunk_start, chunk_end; // the part of the text that the core was given last
  int status;
  wf_result *out;
} wf_run;

wf_grammar *wf_grammar_new(const TSLanguage *language);
int wf_parse(const wf_grammar *grammar, const char *text, uint32_t length, const TSRange *ranges, uint32_t range_count,
             const uint32_t *cancel, wf_limits limits, wf_node *room, uint32_t room_count, wf_result *out);

// Between the files of the shim.
void wf_count_memory(void);
extern _Thread_local int64_t wf_held;
extern _Thread_local wf_run *wf_running;
bool wf_stop(wf_run *run);
int wf_flatten(wf_run *run, const TSTree *tree);

#endif
