// The dictionary says which links a word can have, as expressions over connectors. A connector is a
// name and a direction. A name is capital letters, which must be the same, then small letters or
// '*'. Both '*' and nothing stand for any letter. `Ss+` of one word links to `S-` of a word to its
// right.
//
// A dictionary is read once, into memory of malloc, and never changes.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "classic/parser/failure.h"

struct ConnectorType {
  const char* name;
  unsigned id;
  unsigned head;  // equal for names with the same capital letters
  bool right;     // links to the right
  bool multi;     // may link more than once
};

enum ExpressionKind { kConnector, kAnd, kOr };

struct Operand;
struct Expression {
  enum ExpressionKind kind;
  int cost;
  const struct ConnectorType* type;  // of a connector
  struct Operand* operands;          // of the others, nearest link first; none: always satisfied
};
struct Operand {
  struct Expression* expression;
  struct Operand* next;
};

struct Entry {
  const char* word;  // with what tells it from others of the same spelling: run.n
  struct Expression* expression;
  struct Entry* next;  // of the same spelling, or chain
  size_t spelling;     // letters before the dot
};

struct Dictionary {
  struct Entry** buckets;
  size_t bucket_count;
  size_t entry_count;
  struct ConnectorType** types;
  unsigned type_count;
  unsigned head_count;
  // matches[right * type_count + left]
  bool* matches;
};

// Ends the program with status 2 when the file cannot be read, or is wrong.
PARSER_API struct Dictionary* dictionary_read(const char* path);

// The first entry of that spelling, or null; then the next one.
PARSER_API const struct Entry* dictionary_find(const struct Dictionary* dictionary,
                                               const char* spelling, size_t length);
PARSER_API const struct Entry* dictionary_next(const struct Entry* entry);

static inline bool connectors_match(const struct Dictionary* dictionary,
                                    const struct ConnectorType* right,
                                    const struct ConnectorType* left) {
  return dictionary->matches[right->id * dictionary->type_count + left->id];
}
