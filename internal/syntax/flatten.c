// The walk of a tree into an array, with the core's cursor: iterative, so that no depth of nesting uses up the C stack.
#include "shim.h"

enum { NODES_BETWEEN_CHECKS = 1 << 14 };
static const uint32_t none = UINT32_MAX;

// fill writes a node. An error counts for all nodes around it and a missing node is an error, so that most need not be asked for.
static void fill(const wf_grammar *g, wf_node *out, TSNode n, uint16_t field, uint32_t parent, bool erroneous) {
  uint16_t symbol = ts_node_symbol(n);
  uint8_t flags = WF_NAMED | WF_ERROR;
  if (symbol < g->symbol_count) {
    flags = g->symbols[symbol].flags;
    symbol = g->symbols[symbol].canonical;
  }
  if (ts_node_is_extra(n)) flags |= WF_EXTRA;
  if (erroneous && ts_node_has_error(n)) flags |= WF_HAS_ERROR | (ts_node_is_missing(n) ? WF_MISSING : 0);
  *out = (wf_node){
      .start = ts_node_start_byte(n), .end = ts_node_end_byte(n), .row = ts_node_start_point(n).row,
      .size = 1, .parent = parent, .symbol = symbol, .field = field, .flags = flags,
  };
}

// walk fills nodes, of which there are room, and returns the number filled. It stops at the limits of the run.
static uint32_t walk(wf_run *run, TSTreeCursor *cursor, wf_node *nodes, uint32_t room) {
  uint32_t count = 0, parent = none, depth = 1;
  bool erroneous = true;
  for (;;) {
    if (count == room) { run->status = WF_TOO_MANY; break; }
    if (count % NODES_BETWEEN_CHECKS == 0 && wf_stop(run)) break;
    uint32_t self = count++;
    TSNode n = ts_tree_cursor_current_node(cursor);
    fill(run->grammar, &nodes[self], n, ts_tree_cursor_current_field_id(cursor), parent, erroneous);
    if (depth >= run->limits.depth) {
      if (ts_node_child_count(n)) { nodes[self].flags |= WF_CUT; run->out->cut = true; }
    } else if (ts_tree_cursor_goto_first_child(cursor)) {
      parent = self;
      depth++;
      erroneous = nodes[self].flags & WF_HAS_ERROR;
      continue;
    }
    while (parent != none && !ts_tree_cursor_goto_next_sibling(cursor)) {
      ts_tree_cursor_goto_parent(cursor);
      nodes[parent].size = count - parent;
      parent = nodes[parent].parent;
      depth--;
    }
    if (parent == none) return count;
    erroneous = nodes[parent].flags & WF_HAS_ERROR;
  }
  // The nodes that are still open hold all that follows them.
  for (; parent != none; parent = nodes[parent].parent) nodes[parent].size = count - parent;
  return count;
}

// wf_flatten writes the nodes of a tree into the caller's buffer, or into one of its own where that is too small.
int wf_flatten(wf_run *run, const TSTree *tree) {
  TSNode root = ts_tree_root_node(tree);
  uint32_t count = ts_node_descendant_count(root);
  if (count > run->limits.nodes) count = run->limits.nodes;
  wf_node *nodes = run->room;
  if (count > run->room_count) {
    nodes = malloc((size_t)count * sizeof(wf_node));
    if (!nodes) return run->status = WF_MEMORY;
    run->out->nodes = nodes;
  }
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  run->out->count = walk(run, &cursor, nodes, count);
  ts_tree_cursor_delete(&cursor);
  if (run->status == WF_OK && run->out->cut) run->status = WF_CUT_SHORT;
  return run->status;
}
