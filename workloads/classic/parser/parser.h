// The parser: links the words of a sentence as the dictionary lets them be linked, such that all
// hang together and no links cross. The algorithm is that of Sleator and Temperley (Parsing English
// with a Link Grammar, 1991).
#pragma once

#include <stdint.h>

#include "classic/parser/dictionary.h"

enum { kLongestLinks = 8192 };

struct ParseResult {
  uint64_t linkages;
  int cost;                   // of the best linkage
  int words;                  // with the wall
  char links[kLongestLinks];  // of the best linkage: "(left.n NAME right.v)", in order; or empty
};

// Once, before all else.
PARSER_API void parser_open(void);
// Parses a sentence, then frees all memory that it took. The best linkage is looked for among the
// first `most`.
PARSER_API void parser_parse(const struct Dictionary* dictionary, const char* text, uint64_t most,
                             struct ParseResult* result);
