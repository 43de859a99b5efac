// What the rules of types make of operands.
#include "classic/cfront/front/parse.h"

struct Node* as_value(struct Node* node) {
  if (node->type->kind == kTypeArray) {
    const struct Type* type = pointer_to(node->type->of);
    if (node->kind == kNodeGlobal) {
      struct Node* address = new_node(kNodeAddressOf, type, NULL, NULL);
      address->is.number = node->is.number;
      return address;
    }
    return new_node(kNodeTakeAddress, type, node, NULL);
  }
  return node;
}

static struct Node* as_scalar(struct Node* node) {
  node = as_value(node);
  if (!is_scalar(node->type)) source_error("an operand is no number and no pointer");
  return node;
}

struct Node* as_condition(struct Node* node) {
  return as_scalar(node);
}

static struct Node* as_integer(struct Node* node) {
  node = as_value(node);
  if (!is_integer(node->type)) source_error("an operand is no number");
  return node;
}

struct Node* converted(struct Node* node, const struct Type* type) {
  if (same_type(node->type, type)) return node;
  if (is_number(node)) return new_number(node->is.number, type);
  return new_node(kNodeConvert, type, node, NULL);
}

static bool is_null(const struct Node* node) {
  return is_number(node) && node->is.number == 0 && is_integer(node->type);
}

static bool points_to_void(const struct Type* type) { return type->of->kind == kTypeVoid; }

struct Node* as_assigned(struct Node* node, const struct Type* type) {
  node = as_scalar(node);
  if (!is_scalar(type)) source_error("what is assigned to is no number and no pointer");
  const bool from_pointer = is_pointer(node->type), to_pointer = is_pointer(type);
  bool fine = !from_pointer && !to_pointer;
  if (to_pointer && is_null(node)) fine = true;
  if (from_pointer && to_pointer) {
    fine = same_type(node->type, type) || points_to_void(node->type) || points_to_void(type);
  }
  if (!fine) source_error("a value of the wrong type");
  return converted(node, type);
}

static bool is_place(const struct Node* node) {
  return node->kind == kNodeLocal || node->kind == kNodeGlobal || node->kind == kNodeDereference ||
         node->kind == kNodeField;
}

struct Node* make_address(struct Node* node) {
  if (!is_place(node)) source_error("the address of what is not in memory");
  if (node->kind == kNodeDereference) return node->a;
  const struct Type* type = pointer_to(node->type);
  if (node->kind == kNodeGlobal) {
    struct Node* address = new_node(kNodeAddressOf, type, NULL, NULL);
    address->is.number = node->is.number;
    return address;
  }
  if (node->kind == kNodeLocal) node->is.local->is_in_memory = true;
  return new_node(kNodeTakeAddress, type, node, NULL);
}

struct Node* make_dereference(struct Node* node) {
  node = as_value(node);
  if (!is_pointer(node->type)) source_error("'*' or '[]' of what is no pointer");
  if (node->type->of->size == 0) source_error("'*' or '[]' of a pointer to what has no size");
  return new_node(kNodeDereference, node->type->of, node, NULL);
}

static struct Node* scaled(struct Node* index, const struct Type* pointer) {
  if (pointer->of->size == 0) source_error("arithmetic on a pointer to what has no size");
  index = converted(index, &kLongType);
  if (is_number(index)) return new_number(index->is.number * pointer->of->size, &kLongType);
  if (pointer->of->size == 1) return index;
  return new_node(kNodeMultiply, &kLongType, index, new_number(pointer->of->size, &kLongType));
}

static struct Node* make_sum(enum NodeKind kind, struct Node* a, struct Node* b) {
  if (kind == kNodeAdd && is_pointer(b->type) && is_integer(a->type)) {
    struct Node* other = a;
    a = b;
    b = other;
  }
  if (is_pointer(a->type) && is_integer(b->type)) {
    return new_node(kind, a->type, a, scaled(b, a->type));
  }
  if (kind == kNodeSubtract && is_pointer(a->type) && is_pointer(b->type)) {
    if (!same_type(a->type, b->type) || a->type->of->size == 0) {
      source_error("the difference of pointers of different types");
    }
    struct Node* bytes = new_node(kind, &kLongType, a, b);
    return new_node(kNodeDivide, &kLongType, bytes, new_number(a->type->of->size, &kLongType));
  }
  const struct Type* type = common_type(as_integer(a)->type, as_integer(b)->type);
  return new_node(kind, type, converted(a, type), converted(b, type));
}

static struct Node* make_comparison(enum NodeKind kind, struct Node* a, struct Node* b) {
  if (is_pointer(a->type) || is_pointer(b->type)) {
    const struct Type* type = is_pointer(a->type) ? a->type : b->type;
    return new_node(kind, &kIntType, as_assigned(a, type), as_assigned(b, type));
  }
  const struct Type* type = common_type(a->type, b->type);
  return new_node(kind, &kIntType, converted(a, type), converted(b, type));
}

struct Node* make_binary(enum NodeKind kind, struct Node* a, struct Node* b) {
  a = kind == kNodeComma ? as_value(a) : as_scalar(a);
  b = kind == kNodeComma ? as_value(b) : as_scalar(b);
  switch (kind) {
    case kNodeAdd:
    case kNodeSubtract:
      return make_sum(kind, a, b);
    case kNodeEqual:
    case kNodeNotEqual:
    case kNodeLess:
    case kNodeLessEqual:
      return make_comparison(kind, a, b);
    case kNodeAndThen:
    case kNodeOrElse:
      return new_node(kind, &kIntType, a, b);
    case kNodeComma:
      return new_node(kind, b->type, a, b);
    case kNodeShiftLeft:
    case kNodeShiftRight: {
      const struct Type* type = promoted(as_integer(a)->type);
      return new_node(kind, type, converted(a, type), converted(as_integer(b), &kIntType));
    }
    default: {
      const struct Type* type = common_type(as_integer(a)->type, as_integer(b)->type);
      return new_node(kind, type, converted(a, type), converted(b, type));
    }
  }
}

static void want_place(const struct Node* node) {
  if (!is_place(node) || !is_scalar(node->type)) source_error("nothing can be assigned to that");
}

struct Node* make_assignment(struct Node* to, struct Node* from) {
  want_place(to);
  return new_node(kNodeAssign, to->type, to, as_assigned(from, to->type));
}

// The operation is done in the type that both operands have together.
struct Node* make_assignment_with(enum NodeKind kind, struct Node* to, struct Node* from) {
  want_place(to);
  struct Node* before = new_node(kNodeBefore, to->type, NULL, NULL);
  struct Node* operation = make_binary(kind, before, from);
  struct Node* node = new_node(kNodeAssignWith, to->type, to, as_assigned(operation, to->type));
  node->c = before;
  return node;
}

struct Node* make_step(struct Node* of, int by, bool is_late) {
  want_place(of);
  struct Node* node = new_node(kNodeStep, of->type, of, NULL);
  node->is.number = is_pointer(of->type) ? (int64_t)by * of->type->of->size : by;
  if (is_pointer(of->type) && of->type->of->size == 0) source_error("a step of no size");
  node->is_late = is_late;
  return node;
}
