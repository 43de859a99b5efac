// Code for expressions: values in virtual registers, places that are assigned to, conditions as
// jumps.
#include "classic/cfront/back/code.h"
#include "classic/cfront/obstacks.h"

// Where an lvalue is: a register; or `base` + offset in memory, the frame if base is 0.
struct Place {
  int in_register;
  int base;
  int64_t offset;
};

void emit_typed(enum Opcode opcode, const struct Type* type, int to, int a, int b, int64_t number) {
  struct Instruction instruction = {
      (uint8_t)opcode, 0, (uint8_t)type->size, type->is_unsigned, to, a, b, number};
  code_append(&instruction);
}

void emit(enum Opcode opcode, int to, int a, int b, int64_t number) {
  emit_typed(opcode, &kLongType, to, a, b, number);
}

void emit_compute(enum Operation operation, const struct Type* type, int to, int a, int b) {
  struct Instruction instruction = {
      kCodeCompute, (uint8_t)operation, (uint8_t)type->size, type->is_unsigned, to, a, b, 0};
  code_append(&instruction);
}

static int emit_constant(int64_t number) {
  const int to = new_register();
  emit(kCodeConstant, to, 0, 0, number);
  return to;
}

static struct Place place_of(struct Node* node) {
  struct Place place = {0, 0, 0};
  switch (node->kind) {
    case kNodeLocal:
      if (node->is.local->is_in_memory) {
        place.offset = node->is.local->offset;
      } else {
        place.in_register = node->is.local->virtual_register;
      }
      return place;
    case kNodeGlobal:
      place.base = emit_constant(node->is.number);
      return place;
    case kNodeField:
      place = place_of(node->a);
      place.offset += node->is.number;
      return place;
    default:
      place.base = generate_value(node->a);
      return place;
  }
}

static int load(const struct Place* place, const struct Type* type) {
  if (place->in_register != 0) return place->in_register;
  const int to = new_register();
  emit_typed(place->base == 0 ? kCodeLoadFrame : kCodeLoad, type, to, place->base, 0,
             place->offset);
  return to;
}

static void store(const struct Place* place, const struct Type* type, int value) {
  if (place->in_register != 0) {
    emit(kCodeMove, place->in_register, value, 0, 0);
  } else {
    emit_typed(place->base == 0 ? kCodeStoreFrame : kCodeStore, type, 0, place->base, value,
               place->offset);
  }
}

static int address_of(struct Node* node) {
  const struct Place place = place_of(node);
  if (place.base == 0) {
    const int to = new_register();
    emit(kCodeFrameAddress, to, 0, 0, place.offset);
    return to;
  }
  if (place.offset == 0) return place.base;
  const int to = new_register();
  emit_compute(kAdd, &kLongType, to, place.base, emit_constant(place.offset));
  return to;
}

static int copy_of(int value) {
  const int to = new_register();
  emit(kCodeMove, to, value, 0, 0);
  return to;
}

// A value that later parts of the expression cannot change any more.
static int stable_value(struct Node* node) {
  const int value = generate_value(node);
  const bool is_variable =
      node->kind == kNodeLocal || node->kind == kNodeAssign || node->kind == kNodeComma;
  return is_variable ? copy_of(value) : value;
}

static bool is_simple(const struct Node* node) {
  return node->kind == kNodeNumber || node->kind == kNodeLocal || node->kind == kNodeAddressOf;
}

static int generate_binary(struct Node* node) {
  const enum Operation operation = (enum Operation)(kAdd + (node->kind - kNodeAdd));
  const int a = is_simple(node->b) ? generate_value(node->a) : stable_value(node->a);
  const int b = generate_value(node->b);
  const int to = new_register();
  emit_compute(operation, node->a->type, to, a, b);
  return to;
}

static int generate_unary(struct Node* node) {
  static const enum Operation kOperations[] = {kNegate, kComplement, kNot, kConvert};
  const int a = generate_value(node->a);
  if (node->type->size == 0) return 0;
  const int to = new_register();
  emit_compute(kOperations[node->kind - kNodeNegate], node->type, to, a, 0);
  return to;
}

static int generate_truth(struct Node* node) {
  const int to = new_register();
  const int end = new_label();
  emit(kCodeConstant, to, 0, 0, 0);
  generate_jump(node, false, end);
  emit(kCodeConstant, to, 0, 0, 1);
  emit(kCodeLabel, 0, 0, 0, end);
  return to;
}

static int generate_choice(struct Node* node) {
  const int to = node->type->size == 0 ? 0 : new_register();
  const int otherwise = new_label(), end = new_label();
  generate_jump(node->a, false, otherwise);
  const int yes = generate_value(node->b);
  if (to != 0) emit(kCodeMove, to, yes, 0, 0);
  emit(kCodeJump, 0, 0, 0, end);
  emit(kCodeLabel, 0, 0, 0, otherwise);
  const int no = generate_value(node->c);
  if (to != 0) emit(kCodeMove, to, no, 0, 0);
  emit(kCodeLabel, 0, 0, 0, end);
  return to;
}

static int generate_assignment(struct Node* node) {
  // A register as the left side needs no place before its value is there.
  if (node->a->kind == kNodeLocal && !node->a->is.local->is_in_memory) {
    const int value = generate_value(node->b);
    emit(kCodeMove, node->a->is.local->virtual_register, value, 0, 0);
    return node->a->is.local->virtual_register;
  }
  const struct Place place = place_of(node->a);
  const int value = generate_value(node->b);
  store(&place, node->type, value);
  return value;
}

static int generate_assignment_with(struct Node* node) {
  const struct Place place = place_of(node->a);
  node->c->is.number =
      place.in_register != 0 ? copy_of(place.in_register) : load(&place, node->type);
  const int value = generate_value(node->b);
  store(&place, node->type, value);
  return value;
}

static int generate_step(struct Node* node) {
  const struct Place place = place_of(node->a);
  const int before = place.in_register != 0 ? copy_of(place.in_register) : load(&place, node->type);
  const int after = new_register();
  emit_compute(kAdd, node->type, after, before, emit_constant(node->is.number));
  store(&place, node->type, after);
  return node->is_late ? before : after;
}

static int generate_call(struct Node* node) {
  int count = 0;
  for (const struct Node* at = node->a; at != NULL; at = at->next) ++count;
  // Arguments are set together, behind all calls that are among them.
  int* values = NEW_ARRAY_IN(&flow_obstack, int, count);
  int index = 0;
  for (struct Node* at = node->a; at != NULL; at = at->next) values[index++] = stable_value(at);
  for (int i = 0; i < count; ++i) emit(kCodeArgument, 0, values[i], 0, i);
  obstack_free(&flow_obstack, values);
  const int to = node->type->size == 0 ? 0 : new_register();
  emit(kCodeCall, to, 0, 0, node->is.symbol->number);
  return to;
}

int generate_value(struct Node* node) {
  switch (node->kind) {
    case kNodeNumber:
    case kNodeAddressOf:
      return emit_constant(node->is.number);
    case kNodeLocal:
    case kNodeGlobal:
    case kNodeDereference:
    case kNodeField: {
      const struct Place place = place_of(node);
      return is_scalar(node->type) ? load(&place, node->type) : 0;
    }
    case kNodeTakeAddress:
      return address_of(node->a);
    case kNodeNegate:
    case kNodeComplement:
    case kNodeNot:
    case kNodeConvert:
      return generate_unary(node);
    case kNodeAndThen:
    case kNodeOrElse:
      return generate_truth(node);
    case kNodeComma:
      generate_value(node->a);
      return generate_value(node->b);
    case kNodeAssign:
      return generate_assignment(node);
    case kNodeAssignWith:
      return generate_assignment_with(node);
    case kNodeBefore:
      return (int)node->is.number;
    case kNodeStep:
      return generate_step(node);
    case kNodeChoose:
      return generate_choice(node);
    case kNodeCall:
      return generate_call(node);
    default:
      return generate_binary(node);
  }
}

void generate_jump(struct Node* condition, bool if_true, int label) {
  if (condition->kind == kNodeNot) {
    generate_jump(condition->a, !if_true, label);
  } else if (condition->kind == kNodeAndThen || condition->kind == kNodeOrElse) {
    // Either side decides alone if it is as in `decides`.
    const bool decides = condition->kind == kNodeOrElse;
    if (if_true == decides) {
      generate_jump(condition->a, if_true, label);
      generate_jump(condition->b, if_true, label);
    } else {
      const int past = new_label();
      generate_jump(condition->a, decides, past);
      generate_jump(condition->b, if_true, label);
      emit(kCodeLabel, 0, 0, 0, past);
    }
  } else {
    const int value = generate_value(condition);
    emit(if_true ? kCodeJumpNonzero : kCodeJumpZero, 0, value, 0, label);
  }
}
