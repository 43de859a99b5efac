// This counts how many ways there are to link the words of a region. Each word is linked, no links
// cross, and no two links are between the same words. Every answer is kept, so that none is
// computed twice.
#pragma once

#include <stdint.h>

#include "classic/parser/matcher.h"

// One answer; key 0 is no answer.
struct Answer {
  uint64_t key;
  uint64_t count;
};

struct Counter {
  struct Matcher* matcher;
  struct Answer* answers;
  size_t capacity;  // a power of two
  size_t used;
};

// The ways in which one side of a match goes on: whether each of the two connectors that it links
// may link again.
struct Way {
  struct Region region;
  uint64_t count;
};
enum { kMostWays = 4 };

// The part of a region between its left end and `word`, whose disjunct links to it; and likewise to
// its right end. Returns how many ways; their counts are above 0.
PARSER_API int counter_ways_left(struct Counter* counter, const struct Region* region, int word,
                                 const struct Disjunct* disjunct, struct Way* ways);
PARSER_API int counter_ways_right(struct Counter* counter, const struct Region* region, int word,
                                  const struct Disjunct* disjunct, struct Way* ways);
// The words of a region that can be linked to both its ends: [first, last].
PARSER_API void counter_words(const struct Region* region, int* first, int* last);

PARSER_API void counter_open(struct Counter* counter, struct Matcher* matcher);
PARSER_API uint64_t counter_count(struct Counter* counter, const struct Region* region);
PARSER_API void counter_close(struct Counter* counter);

// As sums and products, but what is too large stays the largest number.
static inline uint64_t count_sum(uint64_t a, uint64_t b) {
  uint64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? UINT64_MAX : result;
}
static inline uint64_t count_product(uint64_t a, uint64_t b) {
  uint64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? UINT64_MAX : result;
}
