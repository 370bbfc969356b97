// The allocator of the core. The binding installs one that goes through Go for every call, which takes a third of all the time; this
// one is the C library's with the bytes counted, so that a parse can be stopped before it takes the machine's memory: hostile text
// makes tree-sitter hold a kilobyte for each byte of source.
#include "shim.h"

#include <stdio.h>

#if defined(__APPLE__)
#include <malloc/malloc.h>
#define block_size malloc_size
#elif defined(_WIN32)
#include <malloc.h>
#define block_size _msize
#elif defined(__FreeBSD__)
#include <malloc_np.h>
#define block_size malloc_usable_size
#else
#include <malloc.h>
#define block_size malloc_usable_size
#endif

// The bytes that this thread has allocated and not freed. A call begins and ends on one thread, and sets it to 0 at its beginning.
_Thread_local int64_t wf_held;

// The core cannot go on without memory, nor can it be left in its midst. Its own allocator ends the process, too.
static void *counted(void *block, size_t size) {
  if (!block && size > 0) {
    fprintf(stderr, "no memory for %zu bytes of a syntax tree\n", size);
    abort();
  }
  wf_held += (int64_t)block_size(block);
  return block;
}

static void *counted_malloc(size_t size) { return counted(malloc(size), size); }

static void *counted_calloc(size_t count, size_t size) { return counted(calloc(count, size), count && size); }

static void *counted_realloc(void *block, size_t size) {
  if (block) wf_held -= (int64_t)block_size(block);
  return counted(realloc(block, size), size);
}

static void counted_free(void *block) {
  if (!block) return;
  wf_held -= (int64_t)block_size(block);
  free(block);
}

void wf_count_memory(void) { ts_set_allocator(counted_malloc, counted_calloc, counted_realloc, counted_free); }
