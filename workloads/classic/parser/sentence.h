// A sentence on its way to its linkages is all in memory of xalloc:
//
//   tokens -> choices (expressions of the dictionary, copied) -> pruned -> disjuncts -> pruned
//
// A disjunct is one way to satisfy a word's expression: lists of connectors, farthest link first.
// Each step frees what it no longer needs.
#pragma once

#include "classic/parser/dictionary.h"

enum { kMostWords = 120, kLongestSentence = 1024 };

// A copy of an expression, from which what cannot be satisfied is taken out.
struct Node {
  enum ExpressionKind kind;
  int cost;
  const struct ConnectorType* type;
  struct Node* first;
  struct Node* next;
};

struct Choice {
  struct Node* expression;  // null when nothing is left
  const struct Entry* entry;
  struct Choice* next;
};

struct Connector {
  const struct ConnectorType* type;
  struct Connector* next;  // the next nearer link
  unsigned id;             // of this sentence, from 1 on
  int nearest;             // no word nearer than this one can be linked to
};

struct Disjunct {
  struct Disjunct* next;
  struct Connector* left;
  struct Connector* right;
  const struct Entry* entry;
  int cost;
};

// Word 0 is the wall, to which the sentence as a whole is linked.
struct Sentence {
  const struct Dictionary* dictionary;
  int count;
  struct Choice* choices[kMostWords];
  struct Disjunct* disjuncts[kMostWords];
};

// Words that the dictionary lacks end the program with status 2, as do sentences that are too long.
PARSER_API void sentence_read(struct Sentence* sentence, const struct Dictionary* dictionary,
                              const char* text);
// Takes out of the choices what finds no partner in the whole sentence.
PARSER_API void sentence_prune_choices(struct Sentence* sentence);
// Replaces choices by disjuncts, no two of the same entry alike.
PARSER_API void sentence_expand(struct Sentence* sentence);
// Takes out disjuncts with a connector that finds no partner where it could reach one; numbers the
// connectors of the others.
PARSER_API void sentence_prune_disjuncts(struct Sentence* sentence);

PARSER_API void disjunct_free(struct Disjunct* disjunct);
PARSER_API void node_free(struct Node* node);
