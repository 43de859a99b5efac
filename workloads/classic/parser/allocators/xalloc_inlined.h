// The hand-written allocator, inlined wherever the parser uses it.
#pragma once

#include "classic/parser/allocators/arena.h"

PARSER_API struct Arena xalloc_arena;

static inline void xalloc_open(void) { arena_open(&xalloc_arena); }
__attribute__((always_inline)) static inline void* xalloc(size_t bytes) {
  return arena_take(&xalloc_arena, bytes);
}
__attribute__((always_inline)) static inline void xfree(void* block) {
  arena_drop(&xalloc_arena, block);
}
static inline void xfree_all(void) { arena_clear(&xalloc_arena); }
