#include "classic/parser/allocators/xalloc_monolithic.h"

#include "classic/parser/allocators/arena.h"

static struct Arena arena;

void xalloc_open(void) { arena_open(&arena); }
void* xalloc(size_t bytes) { return arena_take(&arena, bytes); }
void xfree(void* block) { arena_drop(&arena, block); }
void xfree_all(void) { arena_clear(&arena); }
