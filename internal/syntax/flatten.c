#include "flatten.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// The binding hands tree-sitter an allocator that goes through Go for every call; the C library's is a third faster.
void wf_use_libc(void) { ts_set_allocator(NULL, NULL, NULL, NULL); }

static uint64_t now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u;
}

typedef struct { const char *text; uint32_t length; } buffer;

static const char *read_buffer(void *payload, uint32_t at, TSPoint point, uint32_t *n) {
  (void)point;
  buffer *b = payload;
  if (at >= b->length) {
    *n = 0;
    return "";
  }
  *n = b->length - at;
  return b->text + at;
}

static bool past_deadline(TSParseState *s) { return now_us() > *(uint64_t *)s->payload; }

static bool grow(wf_arena *a) {
  uint32_t capacity = a->capacity ? a->capacity * 2 : 4096;
  wf_node *nodes = realloc(a->nodes, (size_t)capacity * sizeof(wf_node));
  if (!nodes) return false;
  a->nodes = nodes;
  a->capacity = capacity;
  return true;
}

static void fill(wf_node *out, TSNode n, uint16_t field, uint32_t parent) {
  uint16_t symbol = ts_node_symbol(n);
  out->start = ts_node_start_byte(n);
  out->end = ts_node_end_byte(n);
  out->row = ts_node_start_point(n).row;
  out->size = 1;
  out->parent = parent;
  out->symbol = symbol;
  out->field = field;
  out->flags = (ts_node_is_named(n) ? WF_NAMED : 0) | (symbol == UINT16_MAX ? WF_ERROR : 0) |
               (ts_node_is_missing(n) ? WF_MISSING : 0) | (ts_node_has_error(n) ? WF_HAS_ERROR : 0) |
               (ts_node_is_extra(n) ? WF_EXTRA : 0);
}

// Walks the tree with a cursor: iteratively, so that no depth of nesting uses up the C stack.
static int flatten_tree(TSTree *tree, uint32_t max_nodes, wf_arena *out) {
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
  uint32_t parent = UINT32_MAX;
  int status = WF_OK;
  for (;;) {
    if (out->count >= max_nodes) { status = WF_TOO_MANY; break; }
    if (out->count == out->capacity && !grow(out)) { status = WF_MEMORY; break; }
    uint32_t self = out->count++;
    fill(&out->nodes[self], ts_tree_cursor_current_node(&cursor), ts_tree_cursor_current_field_id(&cursor), parent);
    if (ts_tree_cursor_goto_first_child(&cursor)) { parent = self; continue; }
    while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
      if (parent == UINT32_MAX || !ts_tree_cursor_goto_parent(&cursor)) goto done;
      out->nodes[parent].size = out->count - parent;
      parent = out->nodes[parent].parent;
    }
  }
done:
  // Whatever ended the walk, the nodes that are still open hold all that follows them.
  for (; parent != UINT32_MAX; parent = out->nodes[parent].parent) out->nodes[parent].size = out->count - parent;
  ts_tree_cursor_delete(&cursor);
  return status;
}

static int set_ranges(TSParser *parser, const uint32_t *ranges, uint32_t count) {
  if (!count) return ts_parser_set_included_ranges(parser, NULL, 0) ? WF_OK : WF_RANGES;
  TSRange *all = calloc(count, sizeof(TSRange));
  if (!all) return WF_MEMORY;
  for (uint32_t i = 0; i < count; i++) {
    all[i].start_byte = ranges[4 * i];
    all[i].end_byte = ranges[4 * i + 1];
    all[i].start_point.row = ranges[4 * i + 2];
    all[i].end_point.row = ranges[4 * i + 3];
  }
  bool ok = ts_parser_set_included_ranges(parser, all, count);
  free(all);
  return ok ? WF_OK : WF_RANGES;
}

int wf_parse(TSParser *parser, const TSLanguage *language, const char *text, uint32_t length, const uint32_t *ranges,
             uint32_t range_count, uint64_t timeout_us, uint32_t max_nodes, bool flatten, wf_arena *out) {
  out->count = 0;
  if (!ts_parser_set_language(parser, language)) return WF_LANGUAGE;
  int status = set_ranges(parser, ranges, range_count);
  if (status) return status;
  uint64_t deadline = now_us() + timeout_us;
  buffer b = {text, length};
  TSInput input = {&b, read_buffer, TSInputEncodingUTF8, NULL};
  TSParseOptions options = {&deadline, past_deadline};
  TSTree *tree = ts_parser_parse_with_options(parser, NULL, input, options);
  if (!tree) {
    ts_parser_reset(parser);
    return WF_TIMEOUT;
  }
  if (flatten) status = flatten_tree(tree, max_nodes, out);
  ts_tree_delete(tree);
  return status;
}
