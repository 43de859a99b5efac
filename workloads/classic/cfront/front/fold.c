#include "classic/cfront/front/fold.h"

#include "classic/cfront/back/arithmetic.h"

static struct Node* made_number(struct Node* node, int64_t number) {
  node->kind = kNodeNumber;
  node->is.number = wrapped(number, node->type);
  node->a = node->b = node->c = NULL;
  return node;
}

static struct Node* fold_unary(struct Node* node) {
  static const enum Operation kOperations[] = {kNegate, kComplement, kNot, kConvert};
  if (!is_number(node->a) || node->type->size == 0) return node;
  // kNodeNegate, kNodeComplement, kNodeNot, kNodeConvert follow one another.
  const enum Operation operation = kOperations[node->kind - kNodeNegate];
  int64_t result = 0;
  compute(operation, node->type->size, node->type->is_unsigned, node->a->is.number, 0, &result);
  return made_number(node, result);
}

static bool is_the_number(const struct Node* node, int64_t number) {
  return is_number(node) && node->is.number == number;
}

// What an operation with one constant operand is without it, or null. Neither drops what has an
// effect.
static struct Node* without_operation(struct Node* node) {
  struct Node* rest = NULL;
  switch (node->kind) {
    case kNodeAdd:
      if (is_the_number(node->b, 0)) rest = node->a;
      if (is_the_number(node->a, 0)) rest = node->b;
      break;
    case kNodeSubtract:
    case kNodeShiftLeft:
    case kNodeShiftRight:
      if (is_the_number(node->b, 0)) rest = node->a;
      break;
    case kNodeMultiply:
      if (is_the_number(node->b, 1)) rest = node->a;
      if (is_the_number(node->a, 1)) rest = node->b;
      break;
    case kNodeDivide:
      if (is_the_number(node->b, 1)) rest = node->a;
      break;
    default:
      break;
  }
  return rest != NULL && same_type(rest->type, node->type) ? rest : NULL;
}

// Puts another node where this one is, in its list too. Nodes are not copied: others may point to
// them.
static struct Node* instead_of(const struct Node* node, struct Node* other) {
  other->next = node->next;
  return other;
}

static struct Node* fold_binary(struct Node* node) {
  struct Node* a = node->a;
  struct Node* b = node->b;
  int64_t result = 0;
  if (is_number(a) && is_number(b)) {
    const enum Operation operation = (enum Operation)(kAdd + (node->kind - kNodeAdd));
    const bool done = compute(operation, a->type->size, a->type->is_unsigned, a->is.number,
                              b->is.number, &result);
    return done ? made_number(node, result) : node;
  }
  // The address of an element of static data.
  if (node->kind == kNodeAdd && a->kind == kNodeAddressOf && is_number(b)) {
    node->kind = kNodeAddressOf;
    node->is.number = a->is.number + b->is.number;
    node->a = node->b = NULL;
    return node;
  }
  struct Node* rest = without_operation(node);
  if (rest != NULL) return instead_of(node, rest);
  // x * 2^n is x << n.
  if (node->kind == kNodeMultiply && is_number(b) && b->is.number > 1 &&
      (b->is.number & (b->is.number - 1)) == 0) {
    node->kind = kNodeShiftLeft;
    node->b = new_number(__builtin_ctzll((unsigned long long)b->is.number), &kIntType);
  }
  return node;
}

static struct Node* fold_logic(struct Node* node) {
  const bool decides = node->kind == kNodeOrElse;
  if (!is_number(node->a)) return node;
  if ((node->a->is.number != 0) == decides) return made_number(node, decides);
  if (is_number(node->b)) return made_number(node, node->b->is.number != 0);
  return node;
}

struct Node* fold_constant(struct Node* node) {
  if (node->a != NULL) node->a = fold_constant(node->a);
  if (node->kind == kNodeCall) {
    struct Node** place = &node->a;
    while (*place != NULL) {
      struct Node* next = (*place)->next;
      if (place != &node->a) *place = fold_constant(*place);
      (*place)->next = next;
      place = &(*place)->next;
    }
    return node;
  }
  if (node->b != NULL) node->b = fold_constant(node->b);
  if (node->kind == kNodeChoose) {
    node->c = fold_constant(node->c);
    if (!is_number(node->a) || node->type->size == 0) return node;
    return instead_of(node, node->a->is.number != 0 ? node->b : node->c);
  }
  if (node->kind >= kNodeNegate && node->kind <= kNodeConvert) return fold_unary(node);
  if (node->kind >= kNodeAdd && node->kind <= kNodeLessEqual) return fold_binary(node);
  if (node->kind == kNodeAndThen || node->kind == kNodeOrElse) return fold_logic(node);
  if (node->kind == kNodeDereference && node->a->kind == kNodeAddressOf) {
    node->kind = kNodeGlobal;
    node->is.number = node->a->is.number;
    node->a = NULL;
  }
  return node;
}

void fold_statement(struct Node* node) {
  if (node == NULL) return;
  switch (node->kind) {
    case kNodeBlock:
      for (struct Node* at = node->a; at != NULL; at = at->next) fold_statement(at);
      return;
    case kNodeFor:
      fold_statement(node->d);
      if (node->c != NULL) node->c = fold_constant(node->c);
      break;
    case kNodeIf:
      fold_statement(node->c);
      break;
    case kNodeCase:
    case kNodeBreak:
    case kNodeContinue:
      return;
    default:
      break;
  }
  if (node->a != NULL) node->a = fold_constant(node->a);
  if (node->b != NULL) fold_statement(node->b);
}
