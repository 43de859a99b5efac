// From expressions to disjuncts. A clause is a list of connectors that together satisfy an
// expression, as they come in it: the last one is the farthest link. Lists are built and freed
// level by level.
#include "classic/parser/allocation.h"
#include "classic/parser/sentence.h"

struct Term {
  const struct ConnectorType* type;
  struct Term* before;
};

struct Clause {
  struct Clause* next;
  struct Term* last;
  int cost;
};

static struct Clause* new_clause(struct Term* last, int cost, struct Clause* next) {
  struct Clause* clause = PARSER_NEW(struct Clause);
  clause->next = next;
  clause->last = last;
  clause->cost = cost;
  return clause;
}

static struct Term* new_term(const struct ConnectorType* type, struct Term* before) {
  struct Term* term = PARSER_NEW(struct Term);
  term->type = type;
  term->before = before;
  return term;
}

static void free_clauses(struct Clause* clause) {
  while (clause != NULL) {
    struct Clause* next = clause->next;
    while (clause->last != NULL) {
      struct Term* before = clause->last->before;
      xfree(clause->last);
      clause->last = before;
    }
    xfree(clause);
    clause = next;
  }
}

// A copy of `second` behind a copy of `first`.
static struct Term* joined(const struct Term* first, const struct Term* second) {
  if (second != NULL) return new_term(second->type, joined(first, second->before));
  return first == NULL ? NULL : new_term(first->type, joined(first->before, NULL));
}

static struct Clause* product(const struct Clause* a, const struct Clause* b) {
  struct Clause* result = NULL;
  for (; a != NULL; a = a->next) {
    for (const struct Clause* at = b; at != NULL; at = at->next) {
      result = new_clause(joined(a->last, at->last), a->cost + at->cost, result);
    }
  }
  return result;
}

static struct Clause* clauses_of(const struct Node* node) {
  struct Clause* result = NULL;
  if (node->kind == kConnector) {
    result = new_clause(new_term(node->type, NULL), 0, NULL);
  } else if (node->kind == kAnd) {
    result = new_clause(NULL, 0, NULL);
    for (const struct Node* at = node->first; at != NULL; at = at->next) {
      struct Clause* more = clauses_of(at);
      struct Clause* both = product(result, more);
      free_clauses(more);
      free_clauses(result);
      result = both;
    }
  } else {
    struct Clause** place = &result;
    for (const struct Node* at = node->first; at != NULL; at = at->next) {
      *place = clauses_of(at);
      while (*place != NULL) place = &(*place)->next;
    }
  }
  for (struct Clause* at = result; at != NULL; at = at->next) at->cost += node->cost;
  return result;
}

static struct Connector* connectors_of(const struct Term* term, bool right) {
  struct Connector* first = NULL;
  struct Connector** place = &first;
  for (; term != NULL; term = term->before) {
    if (term->type->right != right) continue;
    struct Connector* connector = PARSER_NEW(struct Connector);
    connector->type = term->type;
    connector->next = NULL;
    connector->id = 0;
    connector->nearest = 0;
    *place = connector;
    place = &connector->next;
  }
  return first;
}

static void free_connectors(struct Connector* connector) {
  while (connector != NULL) {
    struct Connector* next = connector->next;
    xfree(connector);
    connector = next;
  }
}

void disjunct_free(struct Disjunct* disjunct) {
  free_connectors(disjunct->right);
  free_connectors(disjunct->left);
  xfree(disjunct);
}

static bool alike(const struct Connector* a, const struct Connector* b) {
  for (; a != NULL && b != NULL; a = a->next, b = b->next) {
    if (a->type != b->type) return false;
  }
  return a == b;
}

static unsigned mix(unsigned hash, const struct Connector* connector) {
  for (; connector != NULL; connector = connector->next) {
    hash = (hash ^ connector->type->id) * 16777619u;
  }
  return (hash ^ 0xffffu) * 16777619u;
}

// Disjuncts of one word, by a hash of their connectors.
struct Known {
  struct Disjunct* disjunct;
  struct Known* next;
};
enum { kKnownBuckets = 128 };

// Adds the disjunct of a clause, unless the entry has one like it already: that keeps the lower
// cost.
static void add(struct Known** known, const struct Clause* clause, const struct Entry* entry,
                struct Disjunct** disjuncts) {
  struct Disjunct* disjunct = PARSER_NEW(struct Disjunct);
  disjunct->left = connectors_of(clause->last, false);
  disjunct->right = connectors_of(clause->last, true);
  disjunct->entry = entry;
  disjunct->cost = clause->cost;
  const unsigned hash = mix(mix(2166136261u, disjunct->left), disjunct->right);
  struct Known** bucket = &known[(hash ^ hash >> 16) % kKnownBuckets];
  for (const struct Known* at = *bucket; at != NULL; at = at->next) {
    struct Disjunct* other = at->disjunct;
    if (other->entry != entry || !alike(other->left, disjunct->left) ||
        !alike(other->right, disjunct->right)) {
      continue;
    }
    if (clause->cost < other->cost) other->cost = clause->cost;
    disjunct_free(disjunct);
    return;
  }
  struct Known* made = PARSER_NEW(struct Known);
  made->disjunct = disjunct;
  made->next = *bucket;
  *bucket = made;
  disjunct->next = *disjuncts;
  *disjuncts = disjunct;
}

static void expand_word(struct Sentence* sentence, int word) {
  struct Known** known = PARSER_NEW_ARRAY(struct Known*, kKnownBuckets);
  for (int i = 0; i < kKnownBuckets; ++i) known[i] = NULL;
  sentence->disjuncts[word] = NULL;
  struct Choice* choice = sentence->choices[word];
  while (choice != NULL) {
    struct Choice* next = choice->next;
    if (choice->expression != NULL) {
      struct Clause* clauses = clauses_of(choice->expression);
      for (const struct Clause* at = clauses; at != NULL; at = at->next) {
        add(known, at, choice->entry, &sentence->disjuncts[word]);
      }
      free_clauses(clauses);
      node_free(choice->expression);
    }
    xfree(choice);
    choice = next;
  }
  sentence->choices[word] = NULL;
  for (int i = 0; i < kKnownBuckets; ++i) {
    while (known[i] != NULL) {
      struct Known* next = known[i]->next;
      xfree(known[i]);
      known[i] = next;
    }
  }
  xfree(known);
}

void sentence_expand(struct Sentence* sentence) {
  for (int word = 0; word < sentence->count; ++word) expand_word(sentence, word);
}
