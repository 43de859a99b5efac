// Single linkages of a sentence, by number, and the best of them.
#pragma once

#include "classic/parser/count.h"

struct Link {
  struct Link* before;
  int left_word;
  int right_word;
  const struct ConnectorType* left;  // of the left word, to the right
  const struct ConnectorType* right;
};

// What one linkage consists of. `entries[word]` is which of a word's entries it uses.
struct Linkage {
  struct Link* last;
  int cost;
  const struct Entry* entries[kMostWords];
};

// The number of linkages of the whole sentence.
PARSER_API uint64_t linkage_count(struct Counter* counter, const struct Sentence* sentence);
// Number `index` of them, below the count.
PARSER_API void linkage_take(struct Counter* counter, const struct Sentence* sentence,
                             uint64_t index, struct Linkage* linkage);
PARSER_API void linkage_drop(struct Linkage* linkage);
// The first one of the least cost among the first `most`.
PARSER_API void linkage_take_best(struct Counter* counter, const struct Sentence* sentence,
                                  uint64_t count, uint64_t most, struct Linkage* linkage);
