// Expressions, by precedence of operators.
#include "classic/cfront/front/data.h"
#include "classic/cfront/front/parse.h"
#include "classic/cfront/obstacks.h"

static struct Node* parse_call(struct Symbol* symbol) {
  if (symbol->kind != kSymbolFunction) source_error("%s is no function", symbol->name->text);
  struct Node* call = new_node(kNodeCall, symbol->type->of, NULL, NULL);
  call->is.symbol = symbol;
  struct Node** place = &call->a;
  const struct Parameter* parameter = symbol->type->parameters;
  expect('(', "the arguments of a function");
  while (current.kind != ')') {
    if (parameter == NULL) source_error("too many arguments for %s", symbol->name->text);
    struct Node* argument = as_assigned(parse_assignment(), parameter->type);
    *place = argument;
    // An argument stands in one list only.
    place = &argument->next;
    parameter = parameter->next;
    if (current.kind != ')') expect(',', "',' between arguments");
  }
  advance();
  if (parameter != NULL) source_error("too few arguments for %s", symbol->name->text);
  return call;
}

static struct Node* parse_name(void) {
  struct Name* name = current.is.name;
  struct Symbol* symbol = find_symbol(name);
  if (symbol == NULL) source_error("%s is not declared", name->text);
  advance();
  struct Node* node = NULL;
  switch (symbol->kind) {
    case kSymbolLocal:
      node = new_node(kNodeLocal, symbol->type, NULL, NULL);
      node->is.local = symbol->local;
      return node;
    case kSymbolGlobal:
      node = new_node(kNodeGlobal, symbol->type, NULL, NULL);
      node->is.number = symbol->number;
      return node;
    case kSymbolConstant:
      return new_number(symbol->number, &kIntType);
    case kSymbolFunction:
      return parse_call(symbol);
    default:
      source_error("%s is a type", name->text);
  }
}

static const struct Type* type_of_number(const struct Token* token) {
  const uint64_t number = token->is.number;
  if (token->is_long) {
    return token->is_unsigned || number > INT64_MAX ? &kUnsignedLongType : &kLongType;
  }
  if (token->is_unsigned) return number > UINT32_MAX ? &kUnsignedLongType : &kUnsignedType;
  if (number > INT64_MAX) {
    // Only characters below zero are that large without being so.
    return (int64_t)number >= -128 ? &kIntType : &kUnsignedLongType;
  }
  return number > INT32_MAX ? &kLongType : &kIntType;
}

static struct Node* parse_primary(void) {
  struct Node* node = NULL;
  switch (current.kind) {
    case kTokenName:
      return parse_name();
    case kTokenNumber:
      node = new_number((int64_t)current.is.number, type_of_number(&current));
      advance();
      return node;
    case kTokenString:
      node = new_node(kNodeAddressOf, pointer_to(&kCharType), NULL, NULL);
      node->is.number = data_string(current.is.text, current.length + 1);
      advance();
      return node;
    default:
      source_error("an expression is missing");
  }
}

static struct Node* parse_member(struct Node* of) {
  if (of->type->kind != kTypeStruct) source_error("'.' or '->' of what is no struct");
  if (current.kind != kTokenName) source_error("the name of a field is missing");
  for (const struct Field* field = of->type->fields; field != NULL; field = field->next) {
    if (field->name != current.is.name) continue;
    advance();
    struct Node* node = new_node(kNodeField, field->type, of, NULL);
    node->is.number = field->offset;
    return node;
  }
  source_error("there is no field %s", current.is.name->text);
}

// What can follow a primary expression.
static struct Node* parse_postfix(struct Node* node) {
  for (;;) {
    if (accept('[')) {
      struct Node* index = parse_expression();
      expect(']', "']'");
      node = make_dereference(make_binary(kNodeAdd, node, index));
    } else if (accept('.')) {
      node = parse_member(node);
    } else if (accept(kTokenArrow)) {
      node = parse_member(make_dereference(node));
    } else if (accept(kTokenIncrement)) {
      node = make_step(node, 1, true);
    } else if (accept(kTokenDecrement)) {
      node = make_step(node, -1, true);
    } else {
      return node;
    }
  }
}

static struct Node* make_unary(enum NodeKind kind, struct Node* of) {
  of = as_value(of);
  if (!is_integer(of->type)) source_error("an operand is no number");
  const struct Type* type = promoted(of->type);
  return new_node(kind, type, converted(of, type), NULL);
}

static struct Node* parse_size(void) {
  // The operand is not evaluated; what its tree takes ends with the function.
  const struct Type* type = NULL;
  if (accept('(')) {
    type = begins_type() ? parse_type_name() : parse_expression()->type;
    expect(')', "')'");
  } else {
    type = parse_unary()->type;
  }
  if (type->size == 0) source_error("sizeof of what has no size");
  return new_number(type->size, &kUnsignedLongType);
}

// A conversion, or an expression in brackets.
static struct Node* parse_bracket(void) {
  advance();
  if (!begins_type()) {
    struct Node* node = parse_expression();
    expect(')', "')'");
    return parse_postfix(node);
  }
  const struct Type* type = parse_type_name();
  expect(')', "')'");
  struct Node* node = as_value(parse_unary());
  if (type->kind == kTypeVoid) return new_node(kNodeConvert, type, node, NULL);
  if (!is_scalar(type) || !is_scalar(node->type)) source_error("no such conversion");
  return converted(node, type);
}

static struct Node* parse_one_unary(void) {
  switch (current.kind) {
    case '-':
      advance();
      return make_unary(kNodeNegate, parse_unary());
    case '+': {
      advance();
      struct Node* node = as_value(parse_unary());
      return converted(node, promoted(node->type));
    }
    case '~':
      advance();
      return make_unary(kNodeComplement, parse_unary());
    case '!':
      advance();
      return new_node(kNodeNot, &kIntType, as_condition(parse_unary()), NULL);
    case '*':
      advance();
      return make_dereference(parse_unary());
    case '&':
      advance();
      return make_address(parse_unary());
    case kTokenIncrement:
      advance();
      return make_step(parse_unary(), 1, false);
    case kTokenDecrement:
      advance();
      return make_step(parse_unary(), -1, false);
    case kTokenSizeof:
      advance();
      return parse_size();
    case '(':
      return parse_bracket();
    default:
      return parse_postfix(parse_primary());
  }
}

struct Node* parse_unary(void) {
  parse_deeper();
  struct Node* node = parse_one_unary();
  parse_back();
  return node;
}

struct Operator {
  int token;
  enum NodeKind kind;
  int binds;
  bool is_turned;  // a > b is b < a
};

static const struct Operator kOperators[] = {
    {'*', kNodeMultiply, 10, false},
    {'/', kNodeDivide, 10, false},
    {'%', kNodeRemainder, 10, false},
    {'+', kNodeAdd, 9, false},
    {'-', kNodeSubtract, 9, false},
    {kTokenShiftLeft, kNodeShiftLeft, 8, false},
    {kTokenShiftRight, kNodeShiftRight, 8, false},
    {'<', kNodeLess, 7, false},
    {'>', kNodeLess, 7, true},
    {kTokenLessEqual, kNodeLessEqual, 7, false},
    {kTokenGreaterEqual, kNodeLessEqual, 7, true},
    {kTokenEqual, kNodeEqual, 6, false},
    {kTokenNotEqual, kNodeNotEqual, 6, false},
    {'&', kNodeAnd, 5, false},
    {'^', kNodeXor, 4, false},
    {'|', kNodeOr, 3, false},
    {kTokenAndAnd, kNodeAndThen, 2, false},
    {kTokenOrOr, kNodeOrElse, 1, false},
};

static const struct Operator* operator_here(void) {
  const int count = (int)(sizeof kOperators / sizeof kOperators[0]);
  for (int i = 0; i < count; ++i) {
    if (kOperators[i].token == current.kind) return &kOperators[i];
  }
  return NULL;
}

// Operators that bind at least so strongly.
static struct Node* parse_binary(int binds) {
  struct Node* node = parse_unary();
  for (;;) {
    const struct Operator* here = operator_here();
    if (here == NULL || here->binds < binds) return node;
    advance();
    struct Node* right = parse_binary(here->binds + 1);
    // Neither operand of a comparison that is turned around changes what the other one is. The
    // operands are evaluated in another order, which the language leaves open.
    node = here->is_turned ? make_binary(here->kind, right, node)
                           : make_binary(here->kind, node, right);
  }
}

static struct Node* parse_choice(void) {
  struct Node* node = parse_binary(1);
  if (!accept('?')) return node;
  struct Node* condition = as_condition(node);
  struct Node* yes = as_value(parse_expression());
  expect(':', "':'");
  struct Node* no = as_value(parse_conditional());
  const struct Type* type = yes->type;
  if (is_integer(yes->type) && is_integer(no->type)) {
    type = common_type(yes->type, no->type);
  } else if (is_pointer(no->type) && !is_pointer(yes->type)) {
    type = no->type;
  }
  const bool is_nothing = type->kind == kTypeVoid && no->type->kind == kTypeVoid;
  node = new_node(kNodeChoose, type, condition, is_nothing ? yes : as_assigned(yes, type));
  node->c = is_nothing ? no : as_assigned(no, type);
  return node;
}

struct Node* parse_conditional(void) {
  parse_deeper();
  struct Node* node = parse_choice();
  parse_back();
  return node;
}

static const struct Operator kAssignments[] = {
    {kTokenAddAssign, kNodeAdd, 0, false},
    {kTokenSubAssign, kNodeSubtract, 0, false},
    {kTokenMulAssign, kNodeMultiply, 0, false},
    {kTokenDivAssign, kNodeDivide, 0, false},
    {kTokenModAssign, kNodeRemainder, 0, false},
    {kTokenAndAssign, kNodeAnd, 0, false},
    {kTokenOrAssign, kNodeOr, 0, false},
    {kTokenXorAssign, kNodeXor, 0, false},
    {kTokenShiftLeftAssign, kNodeShiftLeft, 0, false},
    {kTokenShiftRightAssign, kNodeShiftRight, 0, false},
};

static struct Node* parse_one_assignment(void) {
  struct Node* node = parse_conditional();
  if (accept('=')) return make_assignment(node, parse_assignment());
  const int count = (int)(sizeof kAssignments / sizeof kAssignments[0]);
  for (int i = 0; i < count; ++i) {
    if (kAssignments[i].token != current.kind) continue;
    advance();
    return make_assignment_with(kAssignments[i].kind, node, parse_assignment());
  }
  return node;
}

struct Node* parse_assignment(void) {
  parse_deeper();
  struct Node* node = parse_one_assignment();
  parse_back();
  return node;
}

struct Node* parse_expression(void) {
  struct Node* node = parse_assignment();
  while (accept(',')) node = make_binary(kNodeComma, node, parse_assignment());
  return node;
}
