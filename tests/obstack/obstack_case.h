// Every program of cases/ begins with this header. It has the header under test (OBSTACK_HEADER),
// its types of lengths (LENGTH of objects, CHUNK_LENGTH of chunks), and chunks from malloc that are
// counted. Programs are C and C++ at once. The output of a program must be the same for every
// header, and holds no addresses.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include OBSTACK_HEADER
#include "support/expect.h"

#define obstack_chunk_alloc counted_alloc
#define obstack_chunk_free counted_free

static long live_chunks;
static long all_chunks;

__attribute__((unused)) static void* counted_alloc(CHUNK_LENGTH bytes) {
  ++live_chunks;
  ++all_chunks;
  return malloc((size_t)bytes);
}

__attribute__((unused)) static void counted_free(void* chunk) {
  --live_chunks;
  free(chunk);
}

// Fills a block with what only this seed gives; still_filled says whether it is all there.
__attribute__((unused)) static void fill(void* block, size_t bytes, unsigned seed) {
  for (size_t i = 0; i < bytes; ++i) ((unsigned char*)block)[i] = (unsigned char)(seed * 37 + i);
}

__attribute__((unused)) static int still_filled(const void* block, size_t bytes, unsigned seed) {
  const unsigned char* at = (const unsigned char*)block;
  for (size_t i = 0; i < bytes; ++i) {
    if (at[i] != (unsigned char)(seed * 37 + i)) return 0;
  }
  return 1;
}
