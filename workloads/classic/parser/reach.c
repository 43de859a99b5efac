// Pruning of the disjuncts: the links of a word to one side go to different words, each farther
// than the one before. So a connector's partner must be beyond the nearest one that the connectors
// inside can reach; and the partner must be able to reach back.
#include "classic/parser/allocation.h"
#include "classic/parser/sentence.h"

struct Offer {
  const struct Connector* connector;
  struct Offer* next;    // of the same word and head
  struct Offer* before;  // of all
};

struct Reach {
  const struct Sentence* sentence;
  struct Offer** heads;  // [word * head_count + head]
  struct Offer* all;
  bool right;  // the direction of the connectors that need a partner
};

static struct Offer** offers(const struct Reach* reach, int word, unsigned head) {
  return &reach->heads[(unsigned)word * reach->sentence->dictionary->head_count + head];
}

static bool is_offered(const struct Reach* reach, int from, int word,
                       const struct ConnectorType* type) {
  const struct Dictionary* dictionary = reach->sentence->dictionary;
  for (const struct Offer* offer = *offers(reach, word, type->head); offer != NULL;
       offer = offer->next) {
    const struct Connector* other = offer->connector;
    if (reach->right ? other->nearest >= from && connectors_match(dictionary, type, other->type)
                     : other->nearest <= from && connectors_match(dictionary, other->type, type)) {
      return true;
    }
  }
  return false;
}

// Computes what each connector of a word's list can reach. False: one of them reaches nothing.
static bool settle(const struct Reach* reach, struct Connector* connector, int word) {
  if (connector == NULL) return true;
  if (!settle(reach, connector->next, word)) return false;
  const int inner = connector->next == NULL ? word : connector->next->nearest;
  int at = connector->nearest;
  if (reach->right) {
    if (at <= inner) at = inner + 1;
    while (at < reach->sentence->count && !is_offered(reach, word, at, connector->type)) ++at;
    connector->nearest = at;
    return at < reach->sentence->count;
  }
  if (at >= inner) at = inner - 1;
  while (at >= 0 && !is_offered(reach, word, at, connector->type)) --at;
  connector->nearest = at;
  return at >= 0;
}

static void offer_list(struct Reach* reach, const struct Connector* connector, int word) {
  for (; connector != NULL; connector = connector->next) {
    struct Offer** head = offers(reach, word, connector->type->head);
    struct Offer* offer = PARSER_NEW(struct Offer);
    offer->connector = connector;
    offer->next = *head;
    offer->before = reach->all;
    reach->all = offer;
    *head = offer;
  }
}

static unsigned prune(struct Sentence* sentence, bool right) {
  const size_t heads = (size_t)sentence->count * sentence->dictionary->head_count;
  struct Reach reach = {sentence, PARSER_NEW_ARRAY(struct Offer*, heads), NULL, right};
  for (size_t i = 0; i < heads; ++i) reach.heads[i] = NULL;
  unsigned removed = 0;
  for (int i = 0; i < sentence->count; ++i) {
    const int word = right ? sentence->count - 1 - i : i;
    struct Disjunct** place = &sentence->disjuncts[word];
    while (*place != NULL) {
      struct Disjunct* disjunct = *place;
      if (settle(&reach, right ? disjunct->right : disjunct->left, word)) {
        offer_list(&reach, right ? disjunct->left : disjunct->right, word);
        place = &disjunct->next;
        continue;
      }
      *place = disjunct->next;
      disjunct_free(disjunct);
      ++removed;
    }
  }
  while (reach.all != NULL) {
    struct Offer* before = reach.all->before;
    xfree(reach.all);
    reach.all = before;
  }
  xfree(reach.heads);
  return removed;
}

static void begin_list(struct Connector* connector, int nearest) {
  for (; connector != NULL; connector = connector->next) connector->nearest = nearest;
}

static unsigned number_list(struct Connector* connector, unsigned id) {
  for (; connector != NULL; connector = connector->next) connector->id = ++id;
  return id;
}

void sentence_prune_disjuncts(struct Sentence* sentence) {
  for (int word = 0; word < sentence->count; ++word) {
    for (struct Disjunct* at = sentence->disjuncts[word]; at != NULL; at = at->next) {
      begin_list(at->left, word - 1);
      begin_list(at->right, word + 1);
    }
  }
  unsigned still = 0;
  for (bool right = false; still < 2; right = !right) {
    still = prune(sentence, right) == 0 ? still + 1 : 0;
  }
  unsigned id = 0;
  for (int word = 0; word < sentence->count; ++word) {
    for (struct Disjunct* at = sentence->disjuncts[word]; at != NULL; at = at->next) {
      id = number_list(at->right, number_list(at->left, id));
    }
  }
}
