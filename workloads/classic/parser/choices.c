// This prunes the choices. A pass from left to right keeps a connector to the left if any word
// before has a partner for it. A pass from right to left follows. The passes go on until nothing
// changes.
#include "classic/parser/allocation.h"
#include "classic/parser/sentence.h"

struct Seen {
  const struct ConnectorType* type;
  struct Seen* next;
};

struct Pass {
  const struct Dictionary* dictionary;
  struct Seen** heads;
  bool right;  // the direction of the connectors that need a partner
  unsigned removed;
};

static bool has_partner(const struct Pass* pass, const struct ConnectorType* type) {
  for (const struct Seen* seen = pass->heads[type->head]; seen != NULL; seen = seen->next) {
    if (type->right ? connectors_match(pass->dictionary, type, seen->type)
                    : connectors_match(pass->dictionary, seen->type, type)) {
      return true;
    }
  }
  return false;
}

// What is left of the node; null if it cannot be satisfied, and then it is freed.
static struct Node* purge(struct Pass* pass, struct Node* node) {
  bool sound = true;
  if (node->kind == kConnector) {
    sound = node->type->right != pass->right || has_partner(pass, node->type);
  } else {
    struct Node** place = &node->first;
    while (*place != NULL) {
      struct Node* next = (*place)->next;
      struct Node* left = purge(pass, *place);
      if (left == NULL && node->kind == kAnd) sound = false;
      *place = left == NULL ? next : left;
      if (left != NULL) place = &left->next;
    }
    if (node->kind == kOr && node->first == NULL) sound = false;
  }
  if (sound) return node;
  ++pass->removed;
  node_free(node);
  return NULL;
}

static void see(struct Pass* pass, const struct Node* node) {
  if (node->kind != kConnector) {
    for (const struct Node* at = node->first; at != NULL; at = at->next) see(pass, at);
    return;
  }
  if (node->type->right == pass->right) return;
  struct Seen** head = &pass->heads[node->type->head];
  for (const struct Seen* seen = *head; seen != NULL; seen = seen->next) {
    if (seen->type == node->type) return;
  }
  struct Seen* seen = PARSER_NEW(struct Seen);
  seen->type = node->type;
  seen->next = *head;
  *head = seen;
}

static unsigned prune(struct Sentence* sentence, bool right) {
  const unsigned heads = sentence->dictionary->head_count;
  struct Pass pass = {sentence->dictionary, PARSER_NEW_ARRAY(struct Seen*, heads), right, 0};
  for (unsigned i = 0; i < heads; ++i) pass.heads[i] = NULL;
  for (int i = 0; i < sentence->count; ++i) {
    struct Choice* choice = sentence->choices[right ? sentence->count - 1 - i : i];
    for (struct Choice* at = choice; at != NULL; at = at->next) {
      if (at->expression != NULL) at->expression = purge(&pass, at->expression);
    }
    for (struct Choice* at = choice; at != NULL; at = at->next) {
      if (at->expression != NULL) see(&pass, at->expression);
    }
  }
  for (unsigned i = heads; i-- > 0;) {
    while (pass.heads[i] != NULL) {
      struct Seen* next = pass.heads[i]->next;
      xfree(pass.heads[i]);
      pass.heads[i] = next;
    }
  }
  xfree(pass.heads);
  return pass.removed;
}

void sentence_prune_choices(struct Sentence* sentence) {
  unsigned still = 0;
  for (bool right = false; still < 2; right = !right) {
    still = prune(sentence, right) == 0 ? still + 1 : 0;
  }
}
