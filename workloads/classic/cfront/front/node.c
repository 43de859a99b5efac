#include "classic/cfront/front/node.h"

#include <string.h>

#include "classic/cfront/obstacks.h"

struct Node* new_node(enum NodeKind kind, const struct Type* type, struct Node* a, struct Node* b) {
  struct Node* node = NEW_IN(&tree_obstack, struct Node);
  memset(node, 0, sizeof *node);
  node->kind = kind;
  node->type = type;
  node->a = a;
  node->b = b;
  if (a != NULL) node->depth = a->depth + 1;
  if (b != NULL && b->depth >= node->depth) node->depth = b->depth + 1;
  if (node->depth > kDeepest) source_error("an expression that is too deep");
  return node;
}

struct Node* new_number(int64_t number, const struct Type* type) {
  struct Node* node = new_node(kNodeNumber, type, NULL, NULL);
  node->is.number = wrapped(number, type);
  return node;
}
