// The allocator of stack-like programs, as one would write it by hand. A word before each block
// holds the length of the block before it, headers included; bit 0 says that the block itself is in
// use. Behind the last block lies one more such word, of a block that is not there yet. Lengths are
// multiples of 16, and blocks lie at multiples of 16.
#pragma once

#include <stddef.h>

#include "classic/parser/allocators/arena_memory.h"

struct Arena {
  char* first;  // the word of the first block
  char* last;   // the word behind the last block
  char* limit;  // the last place where a word can be
};

enum { kArenaInUse = 1, kArenaWord = sizeof(size_t), kArenaAlignment = 16 };

static inline size_t* arena_word(char* place) { return (size_t*)(void*)place; }

static inline void arena_clear(struct Arena* arena) {
  arena->last = arena->first;
  *arena_word(arena->first) = 0;
}

static inline void arena_open(struct Arena* arena) {
  char* memory = (char*)arena_memory();
  arena->first = memory + kArenaAlignment - kArenaWord;
  arena->limit = memory + kArenaBytes - kArenaWord;
  arena_clear(arena);
}

static inline void* arena_take(struct Arena* arena, size_t bytes) {
  const size_t length = (bytes + kArenaWord + kArenaAlignment - 1) & ~(size_t)(kArenaAlignment - 1);
  char* block = arena->last;
  // The second is the sum that wrapped around.
  if (__builtin_expect(length > (size_t)(arena->limit - block) || length < bytes, 0)) arena_full();
  *arena_word(block) |= kArenaInUse;
  arena->last = block + length;
  *arena_word(block + length) = length;
  return block + kArenaWord;
}

static inline void arena_drop(struct Arena* arena, void* block) {
  *arena_word((char*)block - kArenaWord) &= ~(size_t)kArenaInUse;
  char* last = arena->last;
  while (last != arena->first) {
    char* before = last - *arena_word(last);
    if (*arena_word(before) & kArenaInUse) break;
    last = before;
  }
  arena->last = last;
}
