// A matcher finds which disjuncts of a word can link to a given connector of a word to its left or
// right. It has a table a word and direction. The lists made of it are freed in reverse order.
#pragma once

#include "classic/parser/sentence.h"

struct Candidate {
  const struct Disjunct* disjunct;
  struct Candidate* next;
};

struct Matcher {
  const struct Dictionary* dictionary;
  int count;
  // [word * head_count + head], by the first connector to the left or right
  struct Candidate** left;
  struct Candidate** right;
};

// A region is the words strictly between two, and what the two still have to be linked to. The
// latter are connectors to the right of the left one, and to the left of the right one.
struct Region {
  int left_word;
  int right_word;
  const struct Connector* left;
  const struct Connector* right;
};

// A disjunct that matches the first connector of the region's left end, of its right end, or both.
struct Match {
  const struct Disjunct* disjunct;
  struct Match* next;
  bool left;
  bool right;
};

PARSER_API void matcher_open(struct Matcher* matcher, const struct Sentence* sentence);
PARSER_API void matcher_close(struct Matcher* matcher);

// The disjuncts of a word of the region that link to its left end; where that needs no more links,
// to its right end.
PARSER_API struct Match* matcher_find(const struct Matcher* matcher, int word,
                                      const struct Region* region);
PARSER_API void matcher_drop(struct Match* match);
