// The part of tree-sitter's C interface (include/tree_sitter/api.h of v0.25) that this package uses, and the one call that it adds.
// The header of the binding's module cannot be included from another module, so that the prototypes stand here; a test holds the
// result against the binding's.
#ifndef WHEREFORE_FLATTEN_H
#define WHEREFORE_FLATTEN_H

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

typedef struct TSLanguage TSLanguage;
typedef struct TSParser TSParser;
typedef struct TSTree TSTree;
typedef struct { uint32_t row, column; } TSPoint;
typedef struct { TSPoint start_point, end_point; uint32_t start_byte, end_byte; } TSRange;
typedef struct { uint32_t context[4]; const void *id; const TSTree *tree; } TSNode;
typedef struct { const void *tree; const void *id; uint32_t context[3]; } TSTreeCursor;
typedef struct { void *payload; uint32_t current_byte_offset; bool has_error; } TSParseState;
typedef struct { void *payload; bool (*progress_callback)(TSParseState *); } TSParseOptions;
typedef enum { TSInputEncodingUTF8, TSInputEncodingUTF16LE, TSInputEncodingUTF16BE, TSInputEncodingCustom } TSInputEncoding;
typedef uint32_t (*DecodeFunction)(const uint8_t *, uint32_t, int32_t *);
typedef struct {
  void *payload;
  const char *(*read)(void *, uint32_t, TSPoint, uint32_t *);
  TSInputEncoding encoding;
  DecodeFunction decode;
} TSInput;

TSParser *ts_parser_new(void);
void ts_parser_delete(TSParser *);
void ts_parser_reset(TSParser *);
bool ts_parser_set_language(TSParser *, const TSLanguage *);
bool ts_parser_set_included_ranges(TSParser *, const TSRange *, uint32_t);
TSTree *ts_parser_parse_with_options(TSParser *, const TSTree *, TSInput, TSParseOptions);
void ts_tree_delete(TSTree *);
TSNode ts_tree_root_node(const TSTree *);
TSTreeCursor ts_tree_cursor_new(TSNode);
void ts_tree_cursor_delete(TSTreeCursor *);
TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
bool ts_tree_cursor_goto_parent(TSTreeCursor *);
uint16_t ts_node_symbol(TSNode);
uint32_t ts_node_start_byte(TSNode);
uint32_t ts_node_end_byte(TSNode);
TSPoint ts_node_start_point(TSNode);
bool ts_node_is_named(TSNode);
bool ts_node_is_missing(TSNode);
bool ts_node_is_extra(TSNode);
bool ts_node_has_error(TSNode);
uint32_t ts_language_symbol_count(const TSLanguage *);
const char *ts_language_symbol_name(const TSLanguage *, uint16_t);
int ts_language_symbol_type(const TSLanguage *, uint16_t);
uint32_t ts_language_field_count(const TSLanguage *);
const char *ts_language_field_name_for_id(const TSLanguage *, uint16_t);
uint32_t ts_language_abi_version(const TSLanguage *);
void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));

// wf_node is a node in preorder; its layout is that of Node in Go.
typedef struct {
  uint32_t start, end, row, size, parent;
  uint16_t symbol, field;
  uint8_t flags;
} wf_node;

enum { WF_NAMED = 1, WF_ERROR = 2, WF_MISSING = 4, WF_HAS_ERROR = 8, WF_EXTRA = 16 };
enum { WF_OK = 0, WF_TIMEOUT = 1, WF_TOO_MANY = 2, WF_MEMORY = 3, WF_RANGES = 4, WF_LANGUAGE = 5 };

// wf_arena is the buffer of nodes, reused between calls.
typedef struct { wf_node *nodes; uint32_t count, capacity; } wf_arena;

int wf_parse(TSParser *parser, const TSLanguage *language, const char *text, uint32_t length, const uint32_t *ranges,
             uint32_t range_count, uint64_t timeout_us, uint32_t max_nodes, bool flatten, wf_arena *out);
void wf_use_libc(void);

#endif
