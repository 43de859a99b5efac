// Declarations: of locals, of static data with its values, of functions; and the unit as a whole.
#include <string.h>

#include "classic/cfront/front/data.h"
#include "classic/cfront/front/directive.h"
#include "classic/cfront/front/fold.h"
#include "classic/cfront/front/macro.h"
#include "classic/cfront/front/parse.h"
#include "classic/cfront/obstacks.h"

struct Token current;
const struct Type* result_type;
static struct Local** next_local;
static int64_t functions;  // that were declared

void advance(void) { next_token(&current); }

bool accept(int kind) {
  if (current.kind != kind) return false;
  advance();
  return true;
}

void expect(int kind, const char* what) {
  if (!accept(kind)) source_error("expected %s", what);
}

static int depth;

void parse_deeper(void) {
  if (++depth > 1000) source_error("brackets that are too deep");
}

void parse_back(void) { --depth; }

struct Local* new_local(const struct Type* type) {
  struct Local* local = NEW_IN(&tree_obstack, struct Local);
  local->next = NULL;
  local->type = type;
  local->is_in_memory = !is_scalar(type);
  local->offset = 0;
  local->virtual_register = 0;
  *next_local = local;
  next_local = &local->next;
  return local;
}

static struct Local* declare_local(struct Name* name, const struct Type* type) {
  struct Local* local = new_local(type);
  declare(name, kSymbolLocal, type)->local = local;
  return local;
}

struct Node** parse_local_declaration(struct Node** place) {
  const struct Specifiers specifiers = parse_specifiers();
  if (specifiers.is_extern || specifiers.is_static) {
    source_error("'extern' and 'static' are for file scope");
  }
  if (accept(';')) return place;
  do {
    struct Name* name = NULL;
    const struct Type* type = parse_declarator(specifiers.type, &name, false);
    if (specifiers.is_typedef) {
      declare(name, kSymbolTypedef, type);
      continue;
    }
    if (type->size == 0) source_error("%s has no size", name->text);
    struct Local* local = declare_local(name, type);
    if (accept('=')) {
      struct Node* variable = new_node(kNodeLocal, type, NULL, NULL);
      variable->is.local = local;
      struct Node* value = make_assignment(variable, parse_assignment());
      *place = new_node(kNodeExpression, &kVoidType, value, NULL);
      place = &(*place)->next;
    }
  } while (accept(','));
  expect(';', "';' behind a declaration");
  return place;
}

int64_t parse_constant(void) {
  struct Node* node = fold_constant(parse_conditional());
  if (!is_number(node)) source_error("no constant");
  return node->is.number;
}

// --- static data ---

static const struct Type* parse_values(const struct Type* type, int offset);

static const struct Type* parse_array_values(const struct Type* type, int offset) {
  int count = 0;
  if (current.kind == kTokenString && type->of->size == 1) {
    count = current.length + 1;
    if (type->count >= 0 && count > type->count) source_error("a string too long for its array");
    data_bytes(offset, current.is.text, count);
    advance();
  } else {
    expect('{', "the values of an array");
    do {
      if (current.kind == '}') break;
      if (count == type->count) source_error("too many values for an array");
      parse_values(type->of, offset + count * type->of->size);
      ++count;
    } while (accept(','));
    expect('}', "'}' behind values");
  }
  return type->count >= 0 ? type : array_of(type->of, count);
}

static void parse_struct_values(const struct Type* type, int offset) {
  expect('{', "the values of a struct");
  const struct Field* field = type->fields;
  do {
    if (current.kind == '}') break;
    if (field == NULL) source_error("too many values for a struct");
    parse_values(field->type, offset + field->offset);
    field = field->next;
  } while (accept(','));
  expect('}', "'}' behind values");
}

// The type, with its count if that was not known.
static const struct Type* parse_values(const struct Type* type, int offset) {
  // No deeper than the type is.
  if (type->kind == kTypeArray) return parse_array_values(type, offset);
  if (type->kind == kTypeStruct) {
    parse_struct_values(type, offset);
    return type;
  }
  struct Node* value = fold_constant(as_assigned(parse_assignment(), type));
  if (!is_number(value) && value->kind != kNodeAddressOf) source_error("no constant");
  data_number(offset, type->size, value->is.number);
  return type;
}

static void declare_data(struct Name* name, const struct Type* type) {
  struct Symbol* symbol = find_symbol(name);
  if (symbol == NULL) symbol = declare(name, kSymbolGlobal, type);
  if (symbol->kind != kSymbolGlobal || !same_type(symbol->type, type)) {
    source_error("%s is declared as something else", name->text);
  }
  if (accept('=')) {
    if (symbol->is_defined) source_error("%s has a value already", name->text);
    symbol->type = type = parse_values(type, 0);
    symbol->is_defined = true;
    if (symbol->number == 0) symbol->number = data_place(type->size, type->alignment);
    data_settle(symbol->number);
  }
  if (type->size == 0) source_error("%s has no size", name->text);
  // Within one unit, what is declared only is there as well.
  if (symbol->number == 0) symbol->number = data_place(type->size, type->alignment);
}

// --- functions and the unit ---

static struct Symbol* declare_function(struct Name* name, const struct Type* type) {
  struct Symbol* symbol = find_symbol(name);
  if (symbol == NULL) {
    symbol = declare(name, kSymbolFunction, type);
    symbol->number = functions++;
  } else if (symbol->kind != kSymbolFunction || !same_type(symbol->type, type)) {
    source_error("%s is declared as something else", name->text);
  }
  return symbol;
}

static void begin_function(struct Function* function, struct Symbol* symbol,
                           const struct Type* type) {
  if (symbol->is_defined) source_error("%s is defined twice", symbol->name->text);
  symbol->is_defined = true;
  function->symbol = symbol;
  function->parameters = NULL;
  function->parameter_count = 0;
  next_local = &function->parameters;
  result_type = type->of;
  type_obstack = &tree_obstack;
  scope_enter();
  for (struct Parameter* at = type->parameters; at != NULL; at = at->next) {
    if (at->name == NULL) source_error("a parameter of %s has no name", symbol->name->text);
    declare_local(at->name, at->type);
    ++function->parameter_count;
  }
}

bool parse_function(struct Function* function) {
  type_obstack = &permanent_obstack;
  while (current.kind != kTokenEnd) {
    if (accept(';')) continue;
    const struct Specifiers specifiers = parse_specifiers();
    if (accept(';')) continue;
    do {
      struct Name* name = NULL;
      const struct Type* type = parse_declarator(specifiers.type, &name, false);
      if (specifiers.is_typedef) {
        declare(name, kSymbolTypedef, type);
      } else if (type->kind != kTypeFunction) {
        declare_data(name, type);
      } else {
        struct Symbol* symbol = declare_function(name, type);
        if (current.kind == '{') {
          begin_function(function, symbol, type);
          advance();
          parse_body(function);
          scope_leave();
          return true;
        }
      }
    } while (accept(','));
    expect(';', "';' behind a declaration");
  }
  directives_close();
  return false;
}

void parse_open(void) {
  functions = 0;
  depth = 0;
  advance();
}
