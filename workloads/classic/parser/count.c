#include "classic/parser/count.h"

#include <string.h>

#include "classic/parser/allocation.h"

enum { kFirstCapacity = 1 << 10 };

static uint64_t key_of(const struct Region* region) {
  const uint64_t left = region->left == NULL ? 0 : region->left->id;
  const uint64_t right = region->right == NULL ? 0 : region->right->id;
  return left << 40 | right << 16 | (uint64_t)region->left_word << 8 | (uint64_t)region->right_word;
}

static struct Answer* place_of(struct Answer* answers, size_t capacity, uint64_t key) {
  const uint64_t hash = key * 0x9E3779B97F4A7C15u;
  size_t at = (size_t)(hash >> 32) & (capacity - 1);
  while (answers[at].key != 0 && answers[at].key != key) at = (at + 1) & (capacity - 1);
  return &answers[at];
}

static struct Answer* new_answers(size_t capacity) {
  struct Answer* answers = PARSER_NEW_ARRAY(struct Answer, capacity);
  memset(answers, 0, capacity * sizeof *answers);
  return answers;
}

static void store(struct Counter* counter, uint64_t key, uint64_t count) {
  if (2 * counter->used >= counter->capacity) {
    const size_t larger = 2 * counter->capacity;
    struct Answer* answers = new_answers(larger);
    for (size_t i = 0; i < counter->capacity; ++i) {
      const struct Answer* answer = &counter->answers[i];
      if (answer->key != 0) *place_of(answers, larger, answer->key) = *answer;
    }
    xfree(counter->answers);
    counter->answers = answers;
    counter->capacity = larger;
  }
  struct Answer* answer = place_of(counter->answers, counter->capacity, key);
  answer->key = key;
  answer->count = count;
  ++counter->used;
}

static void add_way(struct Counter* counter, int left_word, int right_word,
                    const struct Connector* left, const struct Connector* right, struct Way* ways,
                    int* count) {
  struct Way* way = &ways[*count];
  way->region.left_word = left_word;
  way->region.right_word = right_word;
  way->region.left = left;
  way->region.right = right;
  way->count = counter_count(counter, &way->region);
  if (way->count > 0) ++*count;
}

static int ways_between(struct Counter* counter, int left_word, int right_word,
                        const struct Connector* left, const struct Connector* right,
                        struct Way* ways) {
  int count = 0;
  add_way(counter, left_word, right_word, left->next, right->next, ways, &count);
  if (left->type->multi) {
    add_way(counter, left_word, right_word, left, right->next, ways, &count);
  }
  if (right->type->multi) {
    add_way(counter, left_word, right_word, left->next, right, ways, &count);
  }
  if (left->type->multi && right->type->multi) {
    add_way(counter, left_word, right_word, left, right, ways, &count);
  }
  return count;
}

int counter_ways_left(struct Counter* counter, const struct Region* region, int word,
                      const struct Disjunct* disjunct, struct Way* ways) {
  return ways_between(counter, region->left_word, word, region->left, disjunct->left, ways);
}

int counter_ways_right(struct Counter* counter, const struct Region* region, int word,
                       const struct Disjunct* disjunct, struct Way* ways) {
  return ways_between(counter, word, region->right_word, disjunct->right, region->right, ways);
}

void counter_words(const struct Region* region, int* first, int* last) {
  *first = region->left_word + 1;
  *last = region->right_word - 1;
  if (region->left != NULL && region->left->nearest > *first) *first = region->left->nearest;
  if (region->right != NULL && region->right->nearest < *last) *last = region->right->nearest;
}

static uint64_t sum_of(const struct Way* ways, int count) {
  uint64_t sum = 0;
  for (int i = 0; i < count; ++i) sum = count_sum(sum, ways[i].count);
  return sum;
}

static uint64_t count_of_match(struct Counter* counter, const struct Region* region, int word,
                               const struct Match* match) {
  struct Way ways[kMostWays];
  const struct Disjunct* disjunct = match->disjunct;
  const struct Region to_left = {region->left_word, word, region->left, disjunct->left};
  const struct Region to_right = {word, region->right_word, disjunct->right, region->right};
  uint64_t left = 0;
  if (match->left) {
    left = sum_of(ways, counter_ways_left(counter, region, word, disjunct, ways));
  } else {
    left = counter_count(counter, &to_left);
  }
  if (left == 0) return 0;
  // Linked to the left end, a word need not be linked to the right one.
  uint64_t right = match->left ? counter_count(counter, &to_right) : 0;
  if (match->right) {
    const int count = counter_ways_right(counter, region, word, disjunct, ways);
    right = count_sum(right, sum_of(ways, count));
  }
  return count_product(left, right);
}

uint64_t counter_count(struct Counter* counter, const struct Region* region) {
  if (region->left_word + 1 == region->right_word) {
    return region->left == NULL && region->right == NULL ? 1 : 0;
  }
  if (region->left == NULL && region->right == NULL) return 0;
  const uint64_t key = key_of(region);
  const struct Answer* answer = place_of(counter->answers, counter->capacity, key);
  if (answer->key == key) return answer->count;
  int first = 0, last = 0;
  counter_words(region, &first, &last);
  uint64_t total = 0;
  for (int word = first; word <= last; ++word) {
    struct Match* matches = matcher_find(counter->matcher, word, region);
    for (const struct Match* at = matches; at != NULL; at = at->next) {
      total = count_sum(total, count_of_match(counter, region, word, at));
    }
    matcher_drop(matches);
  }
  store(counter, key, total);
  return total;
}

void counter_open(struct Counter* counter, struct Matcher* matcher) {
  counter->matcher = matcher;
  counter->capacity = kFirstCapacity;
  counter->used = 0;
  counter->answers = new_answers(counter->capacity);
}

void counter_close(struct Counter* counter) { xfree(counter->answers); }
