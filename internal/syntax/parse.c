// The call: one parser, one text, one flat tree; nothing is kept in C afterwards. The parser is new for each call (a microsecond),
// since one that was stopped while it balanced its tree cannot be used again: ts_parser_reset forgets to say so, and the next parse
// ends the process.
#include "shim.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

// The core is given the text in chunks, so that a scanner which runs ahead over and over comes by here and can be stopped; between
// two checks of the core itself, which are 100 of its steps apart, it may do so for hours.
enum { CHUNK = 4096 };

// What a typical text needs at most of memory, in bytes a byte (measured: see TestMemoryOfRealFiles); more only costs time.
enum { TYPICAL_MEMORY = 100 };

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// wf_stop reports whether a run is over its limits.
bool wf_stop(wf_run *run) {
  if (wf_held > run->out->peak) run->out->peak = wf_held;
  if (run->status) return true;
  if (wf_held > (int64_t)run->limits.memory) run->status = WF_MEMORY;
  else if (run->cancel && __atomic_load_n(run->cancel, __ATOMIC_RELAXED)) run->status = WF_CANCELED;
  else if (now_ns() > run->deadline_ns) run->status = WF_TIMEOUT;
  return run->status;
}

static bool progress(TSParseState *state) { return wf_stop(state->payload); }

// read_chunk gives the core the text from a byte on. Once the run is to stop the text ends, but not within the last chunk: the core
// reads again from there when a character is cut in two by the chunk's end, and takes it for granted that something comes.
static const char *read_chunk(void *payload, uint32_t at, TSPoint point, uint32_t *n) {
  (void)point;
  wf_run *run = payload;
  *n = 0;
  if (at >= run->length) return "";
  if (wf_stop(run) && (at < run->chunk_start || at >= run->chunk_end)) return "";
  *n = run->length - at < CHUNK ? run->length - at : CHUNK;
  run->chunk_start = at;
  run->chunk_end = at + *n;
  return run->text + at;
}

static int parse_with(wf_run *run, TSParser *parser) {
  if (!ts_parser_set_language(parser, (const TSLanguage *)&run->grammar->language)) return WF_LANGUAGE;
  if (run->range_count && !ts_parser_set_included_ranges(parser, run->ranges, run->range_count)) return WF_RANGES;
  TSInput input = {.payload = run, .read = read_chunk, .encoding = TSInputEncodingUTF8};
  TSParseOptions options = {.payload = run, .progress_callback = progress};
  TSTree *tree = ts_parser_parse_with_options(parser, NULL, input, options);
  if (!tree) return run->status ? run->status : WF_LANGUAGE;
  if (!run->status && run->limits.nodes) wf_flatten(run, tree);
  ts_tree_delete(tree);
  return run->status;
}

// parse_here runs on the stack of this thread.
static void parse_here(wf_run *run) {
  run->status = WF_OK;
  run->chunk_start = run->chunk_end = 0;
  memset(run->out, 0, sizeof *run->out);
  wf_held = 0;
  wf_running = run;
  TSParser *parser = ts_parser_new();
  run->status = parse_with(run, parser);
  ts_parser_delete(parser);
  wf_running = NULL;
  if (run->status > WF_CUT_SHORT) {
    free(run->out->nodes);
    run->out->nodes = NULL;
    run->out->count = 0;
  }
  run->out->leaked = wf_held;
}

static void *parse_thread(void *run) {
#ifndef _WIN32
  // Signals of the process are for Go's own threads.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
#endif
  parse_here(run);
  return NULL;
}

// parse_on_stack runs on a stack of its own: as large as the memory that the run may take. The core frees and merges its parse stack
// by recursion, a level of which takes 96 bytes of C stack for a node of 240 bytes of memory, so that the one limit bounds the other;
// the stack's pages count only once they are touched. Where the machine does not give that much, the limit shrinks with the stack.
static void parse_on_stack(wf_run *run) {
  enum { SPARE = 1 << 20, LEAST = 16 << 20, PAGE = 1 << 16 };
  for (;; run->limits.memory /= 2) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    size_t size = (run->limits.memory + SPARE) / PAGE * PAGE;
    bool started = pthread_attr_setstacksize(&attributes, size) == 0 &&
                   pthread_create(&thread, &attributes, parse_thread, run) == 0;
    pthread_attr_destroy(&attributes);
    if (started) {
      pthread_join(thread, NULL);
      return;
    }
    if (run->limits.memory < LEAST) {
      run->status = WF_MEMORY;
      return;
    }
  }
}

// here_memory is the memory that a run may take on a thread of Go's: half the stack that the system gives a thread.
static uint64_t here_memory(void) {
  size_t size = 0;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_getstacksize(&attributes, &size);
  pthread_attr_destroy(&attributes);
  return size / 2;
}

// wf_parse parses a text that is likely to do with little memory on this thread, and others on one with a large stack, which takes
// about 50 microseconds to make.
int wf_parse(const wf_grammar *grammar, const char *text, uint32_t length, const TSRange *ranges, uint32_t range_count,
             const uint32_t *cancel, wf_limits limits, wf_node *room, uint32_t room_count, wf_result *out) {
  wf_run run = {
      .grammar = grammar, .text = text, .length = length, .ranges = ranges, .range_count = range_count, .cancel = cancel,
      .limits = limits, .deadline_ns = now_ns() + limits.timeout_ns, .room = room, .room_count = room_count, .out = out,
  };
  uint64_t here = here_memory();
  if ((uint64_t)length * TYPICAL_MEMORY <= here || limits.memory <= here) {
    if (run.limits.memory > here) run.limits.memory = here;
    parse_here(&run);
    if (run.status != WF_MEMORY || limits.memory <= here) return run.status;
    run.limits = limits;
  }
  parse_on_stack(&run);
  return run.status;
}
