// Block contents by id: a block filled with one id and checked with it later shows any write that
// came from elsewhere. Whole blocks up to 64 KiB; of larger ones the first and last page and one
// word of each page between.
#pragma once

#include "support/expect.h"

__attribute__((unused)) static inline uint64_t pattern_word(uint64_t id, size_t offset) {
  uint64_t z = (id + 1) * 0x9e3779b97f4a7c15u + offset * 0xd6e8feb86659fd93u;
  return z ^ (z >> 32);
}

static inline size_t pattern_step(size_t offset, size_t size) {
  bool dense = size <= 65536 || offset < 4096 || offset + 8192 > size;
  return dense ? 8 : 4096;
}

__attribute__((unused)) static void fill_pattern(void* block, size_t size, uint64_t id) {
  char* p = (char*)block;
  size_t offset = 0;
  for (; offset + 8 <= size; offset += pattern_step(offset, size)) {
    uint64_t word = pattern_word(id, offset);
    memcpy(p + offset, &word, 8);
  }
  for (offset = size & ~(size_t)7; offset < size; ++offset)
    p[offset] = (char)pattern_word(id, offset);
}

// The first `size` bytes of a block that was filled at `filled` bytes (>= size) with this id.
__attribute__((unused)) static void check_prefix(const void* block, size_t size, size_t filled,
                                                 uint64_t id) {
  const char* p = (const char*)block;
  size_t offset = 0;
  for (; offset + 8 <= size && offset + 8 <= filled; offset += pattern_step(offset, filled)) {
    uint64_t word;
    memcpy(&word, p + offset, 8);
    EXPECT(word == pattern_word(id, offset), "block %p size %zu id %llu offset %zu", block, filled,
           (unsigned long long)id, offset);
  }
  for (offset = filled & ~(size_t)7; offset < size; ++offset)
    EXPECT(p[offset] == (char)pattern_word(id, offset), "block %p size %zu id %llu tail %zu", block,
           filled, (unsigned long long)id, offset);
}

__attribute__((unused)) static void check_pattern(const void* block, size_t size, uint64_t id) {
  check_prefix(block, size, size, id);
}

__attribute__((unused)) static void check_zero(const void* block, size_t size) {
  const char* p = (const char*)block;
  for (size_t i = 0; i < size; ++i)
    EXPECT(p[i] == 0, "block %p size %zu offset %zu", block, size, i);
}
