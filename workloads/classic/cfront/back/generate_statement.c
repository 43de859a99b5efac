// Code for statements and whole functions. Variables live in virtual registers unless their address
// is taken.
#include "classic/cfront/back/code.h"

struct Generator generator;

int new_register(void) { return generator.registers++; }
int new_label(void) { return generator.labels++; }

static void generate_statement(struct Node* node);

static void put_label(int label) { emit(kCodeLabel, 0, 0, 0, label); }
static void jump(int label) { emit(kCodeJump, 0, 0, 0, label); }

static void generate_if(struct Node* node) {
  const int otherwise = new_label();
  generate_jump(node->a, false, otherwise);
  generate_statement(node->b);
  if (node->c != NULL) {
    const int end = new_label();
    jump(end);
    put_label(otherwise);
    generate_statement(node->c);
    put_label(end);
  } else {
    put_label(otherwise);
  }
}

static void generate_body(struct Node* body, int break_label, int continue_label) {
  const int outer_break = generator.break_label;
  const int outer_continue = generator.continue_label;
  generator.break_label = break_label;
  if (continue_label >= 0) generator.continue_label = continue_label;
  generate_statement(body);
  generator.break_label = outer_break;
  generator.continue_label = outer_continue;
}

// The condition is tested at the end of each turn, and once before the first.
static void generate_loop(struct Node* condition, struct Node* body, struct Node* step,
                          bool test_first) {
  const int begin = new_label(), again = new_label(), end = new_label();
  if (test_first && condition != NULL) generate_jump(condition, false, end);
  put_label(begin);
  generate_body(body, end, again);
  put_label(again);
  if (step != NULL) generate_value(step);
  if (condition != NULL) {
    generate_jump(condition, true, begin);
  } else {
    jump(begin);
  }
  put_label(end);
}

static void generate_switch(struct Node* node) {
  const int value = generate_value(node->a);
  const int end = new_label();
  int other = end;
  for (struct Node* at = node->d; at != NULL; at = at->d) {
    const int label = new_label();
    if (at->is_default) {
      other = label;
    } else {
      const int number = new_register(), equal = new_register();
      emit(kCodeConstant, number, 0, 0, at->is.number);
      emit_compute(kEqual, node->a->type, equal, value, number);
      emit(kCodeJumpNonzero, 0, equal, 0, label);
    }
    // The number is not needed any more.
    at->is.number = label;
  }
  jump(other);
  generate_body(node->b, end, -1);
  put_label(end);
}

static void generate_statement(struct Node* node) {
  switch (node->kind) {
    case kNodeBlock:
      for (struct Node* at = node->a; at != NULL; at = at->next) generate_statement(at);
      return;
    case kNodeExpression:
      generate_value(node->a);
      return;
    case kNodeIf:
      generate_if(node);
      return;
    case kNodeWhile:
      generate_loop(node->a, node->b, NULL, true);
      return;
    case kNodeDo:
      generate_loop(node->a, node->b, NULL, false);
      return;
    case kNodeFor:
      if (node->d != NULL) generate_statement(node->d);
      generate_loop(node->a, node->b, node->c, true);
      return;
    case kNodeSwitch:
      generate_switch(node);
      return;
    case kNodeCase:
      put_label((int)node->is.number);
      return;
    case kNodeBreak:
      jump(generator.break_label);
      return;
    case kNodeContinue:
      jump(generator.continue_label);
      return;
    case kNodeReturn:
      emit(kCodeReturn, 0, node->a == NULL ? 0 : generate_value(node->a), 0, 0);
      return;
    default:
      cfront_fail(kStatusWrong, "a statement of an unknown kind");
  }
}

static void place_locals(struct Function* function) {
  int index = 0;
  for (struct Local* local = function->parameters; local != NULL; local = local->next, ++index) {
    if (local->is_in_memory) {
      const int step = local->type->alignment;
      local->offset = (generator.frame + step - 1) / step * step;
      generator.frame = local->offset + local->type->size;
    } else {
      local->virtual_register = new_register();
    }
    if (index >= function->parameter_count) continue;
    const int value = local->is_in_memory ? new_register() : local->virtual_register;
    emit(kCodeParameter, value, 0, 0, index);
    if (local->is_in_memory) {
      emit_typed(kCodeStoreFrame, local->type, 0, 0, value, local->offset);
    }
  }
}

void generate(struct Function* function, struct Code* code) {
  const struct Generator fresh = {1, 0, 0, -1, -1};
  generator = fresh;
  code_begin();
  place_locals(function);
  generate_statement(function->body);
  emit(kCodeReturn, 0, 0, 0, 0);
  code_finish(code);
  code->registers = generator.registers;
  code->labels = generator.labels;
  code->frame = generator.frame;
}
