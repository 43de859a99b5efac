// Statements, and the scopes that they open.
#include <string.h>

#include "classic/cfront/front/parse.h"
#include "classic/cfront/obstacks.h"

static int loops;            // around what is parsed, in which `continue` is allowed
static int breakable;        // loops and switches
static struct Node* choice;  // the innermost switch, or null

static struct Node* parse_statement(void);

static struct Node* new_statement(enum NodeKind kind, struct Node* a, struct Node* b) {
  return new_node(kind, &kVoidType, a, b);
}

static struct Node* parse_block(void) {
  struct Node* block = new_statement(kNodeBlock, NULL, NULL);
  struct Node** place = &block->a;
  while (!accept('}')) {
    if (begins_type() || current.kind == kTokenTypedef || current.kind == kTokenStatic) {
      place = parse_local_declaration(place);
    } else {
      *place = parse_statement();
      place = &(*place)->next;
    }
  }
  return block;
}

static struct Node* parse_bracketed(void) {
  expect('(', "'('");
  struct Node* node = as_condition(parse_expression());
  expect(')', "')'");
  return node;
}

static struct Node* parse_loop_body(void) {
  ++loops;
  ++breakable;
  struct Node* body = parse_statement();
  --loops;
  --breakable;
  return body;
}

static struct Node* parse_if(void) {
  struct Node* condition = parse_bracketed();
  struct Node* node = new_statement(kNodeIf, condition, parse_statement());
  if (accept(kTokenElse)) node->c = parse_statement();
  return node;
}

static struct Node* parse_for(void) {
  // What it declares is gone behind it.
  scope_enter();
  struct Node* node = new_statement(kNodeFor, NULL, NULL);
  expect('(', "'('");
  if (begins_type()) {
    node->d = new_statement(kNodeBlock, NULL, NULL);
    parse_local_declaration(&node->d->a);
  } else if (!accept(';')) {
    node->d = new_statement(kNodeExpression, as_value(parse_expression()), NULL);
    expect(';', "';'");
  }
  if (current.kind != ';') node->a = as_condition(parse_expression());
  expect(';', "';'");
  if (current.kind != ')') node->c = as_value(parse_expression());
  expect(')', "')'");
  node->b = parse_loop_body();
  scope_leave();
  return node;
}

static struct Node* parse_do(void) {
  struct Node* body = parse_loop_body();
  expect(kTokenWhile, "'while' behind the body of 'do'");
  struct Node* node = new_statement(kNodeDo, parse_bracketed(), body);
  expect(';', "';'");
  return node;
}

static struct Node* parse_switch(void) {
  struct Node* value = parse_bracketed();
  if (!is_integer(value->type)) source_error("a switch over what is no number");
  struct Node* node = new_statement(kNodeSwitch, converted(value, promoted(value->type)), NULL);
  struct Node* outer = choice;
  choice = node;
  ++breakable;
  node->b = parse_statement();
  --breakable;
  choice = outer;
  return node;
}

// Cases of a switch hang together by d, the last one first.
static struct Node* parse_case(bool is_default) {
  if (choice == NULL) source_error("a case outside of a switch");
  struct Node* node = new_statement(kNodeCase, NULL, NULL);
  node->is_default = is_default;
  if (!is_default) node->is.number = wrapped(parse_constant(), choice->a->type);
  expect(':', "':' behind a case");
  for (const struct Node* other = choice->d; other != NULL; other = other->d) {
    if (other->is_default == is_default && (is_default || other->is.number == node->is.number)) {
      source_error("the same case twice");
    }
  }
  node->d = choice->d;
  choice->d = node;
  return node;
}

static struct Node* parse_return(void) {
  struct Node* node = new_statement(kNodeReturn, NULL, NULL);
  if (current.kind != ';') {
    if (result_type->kind == kTypeVoid) source_error("a value is returned from a void function");
    node->a = as_assigned(parse_expression(), result_type);
  } else if (result_type->kind != kTypeVoid) {
    source_error("no value is returned");
  }
  expect(';', "';'");
  return node;
}

static struct Node* parse_leap(enum NodeKind kind, int around) {
  if (around == 0) source_error("'break' or 'continue' outside of a loop");
  expect(';', "';'");
  return new_statement(kind, NULL, NULL);
}

static struct Node* parse_one_statement(void) {
  if (accept('{')) {
    scope_enter();
    struct Node* block = parse_block();
    scope_leave();
    return block;
  }
  if (accept(kTokenIf)) return parse_if();
  if (accept(kTokenFor)) return parse_for();
  if (accept(kTokenReturn)) return parse_return();
  if (accept(kTokenWhile)) {
    struct Node* condition = parse_bracketed();
    return new_statement(kNodeWhile, condition, parse_loop_body());
  }
  if (accept(kTokenDo)) return parse_do();
  if (accept(kTokenSwitch)) return parse_switch();
  if (accept(kTokenCase)) return parse_case(false);
  if (accept(kTokenDefault)) return parse_case(true);
  if (accept(kTokenBreak)) return parse_leap(kNodeBreak, breakable);
  if (accept(kTokenContinue)) return parse_leap(kNodeContinue, loops);
  if (accept(';')) return new_statement(kNodeBlock, NULL, NULL);
  struct Node* node = new_statement(kNodeExpression, as_value(parse_expression()), NULL);
  expect(';', "';' behind an expression");
  return node;
}

static struct Node* parse_statement(void) {
  parse_deeper();
  struct Node* node = parse_one_statement();
  parse_back();
  return node;
}

void parse_body(struct Function* function) {
  loops = breakable = 0;
  choice = NULL;
  function->body = parse_block();
}
