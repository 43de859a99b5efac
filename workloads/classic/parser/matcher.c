#include "classic/parser/matcher.h"

#include "classic/parser/allocation.h"

static struct Candidate** bucket(const struct Matcher* matcher, struct Candidate** table, int word,
                                 unsigned head) {
  return &table[(unsigned)word * matcher->dictionary->head_count + head];
}

static struct Candidate** new_table(size_t size) {
  struct Candidate** table = PARSER_NEW_ARRAY(struct Candidate*, size);
  for (size_t i = 0; i < size; ++i) table[i] = NULL;
  return table;
}

static void enter(const struct Matcher* matcher, struct Candidate** table, int word,
                  const struct Connector* connector, const struct Disjunct* disjunct) {
  if (connector == NULL) return;
  struct Candidate** head = bucket(matcher, table, word, connector->type->head);
  struct Candidate* candidate = PARSER_NEW(struct Candidate);
  candidate->disjunct = disjunct;
  candidate->next = *head;
  *head = candidate;
}

void matcher_open(struct Matcher* matcher, const struct Sentence* sentence) {
  matcher->dictionary = sentence->dictionary;
  matcher->count = sentence->count;
  const size_t size = (size_t)sentence->count * sentence->dictionary->head_count;
  matcher->left = new_table(size);
  matcher->right = new_table(size);
  for (int word = 0; word < sentence->count; ++word) {
    for (const struct Disjunct* at = sentence->disjuncts[word]; at != NULL; at = at->next) {
      enter(matcher, matcher->left, word, at->left, at);
      enter(matcher, matcher->right, word, at->right, at);
    }
  }
}

static void free_table(struct Candidate** table, size_t size) {
  for (size_t i = size; i-- > 0;) {
    while (table[i] != NULL) {
      struct Candidate* next = table[i]->next;
      xfree(table[i]);
      table[i] = next;
    }
  }
  xfree(table);
}

void matcher_close(struct Matcher* matcher) {
  const size_t size = (size_t)matcher->count * matcher->dictionary->head_count;
  free_table(matcher->right, size);
  free_table(matcher->left, size);
}

static bool links(const struct Matcher* matcher, int left_word, const struct Connector* right,
                  int right_word, const struct Connector* left) {
  return right->nearest <= right_word && left->nearest >= left_word &&
         connectors_match(matcher->dictionary, right->type, left->type);
}

static struct Match* new_match(const struct Disjunct* disjunct, bool left, bool right,
                               struct Match* next) {
  struct Match* match = PARSER_NEW(struct Match);
  match->disjunct = disjunct;
  match->next = next;
  match->left = left;
  match->right = right;
  return match;
}

static bool links_left(const struct Matcher* matcher, const struct Region* region, int word,
                       const struct Disjunct* disjunct) {
  return disjunct->left != NULL &&
         links(matcher, region->left_word, region->left, word, disjunct->left);
}

static bool links_right(const struct Matcher* matcher, const struct Region* region, int word,
                        const struct Disjunct* disjunct) {
  return disjunct->right != NULL && region->right != NULL &&
         links(matcher, word, disjunct->right, region->right_word, region->right);
}

struct Match* matcher_find(const struct Matcher* matcher, int word, const struct Region* region) {
  struct Match* result = NULL;
  if (region->left != NULL) {
    const struct Candidate* at = *bucket(matcher, matcher->left, word, region->left->type->head);
    for (; at != NULL; at = at->next) {
      if (!links_left(matcher, region, word, at->disjunct)) continue;
      const bool right = links_right(matcher, region, word, at->disjunct);
      result = new_match(at->disjunct, true, right, result);
    }
  } else if (region->right != NULL) {
    const struct Candidate* at = *bucket(matcher, matcher->right, word, region->right->type->head);
    for (; at != NULL; at = at->next) {
      if (!links_right(matcher, region, word, at->disjunct)) continue;
      result = new_match(at->disjunct, false, true, result);
    }
  }
  return result;
}

void matcher_drop(struct Match* match) {
  while (match != NULL) {
    struct Match* next = match->next;
    xfree(match);
    match = next;
  }
}
