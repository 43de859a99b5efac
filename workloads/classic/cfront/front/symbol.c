#include "classic/cfront/front/symbol.h"

#include <string.h>

#include "classic/cfront/obstacks.h"

struct Scope {
  struct Scope* outer;
  struct Binding* bindings;
};

long declared_symbols;
static struct Scope* scope;  // null: file scope
static int level;

void scopes_open(void) {
  scope = NULL;
  level = 0;
  declared_symbols = 0;
}

bool is_file_scope(void) { return scope == NULL; }

void scope_enter(void) {
  struct Scope* entered = NEW_IN(&scope_obstack, struct Scope);
  entered->outer = scope;
  entered->bindings = NULL;
  scope = entered;
  ++level;
}

void scope_leave(void) {
  struct Scope* left = scope;
  for (struct Binding* binding = left->bindings; binding != NULL; binding = binding->next) {
    if (binding->symbol.kind == kSymbolTag) {
      binding->name->tag = binding->outer;
    } else {
      binding->name->binding = binding->outer;
    }
  }
  scope = left->outer;
  --level;
  obstack_free(&scope_obstack, left);
}

struct Symbol* find_symbol(const struct Name* name) {
  return name->binding == NULL ? NULL : &name->binding->symbol;
}

struct Symbol* find_tag(const struct Name* name) {
  return name->tag == NULL ? NULL : &name->tag->symbol;
}

struct Symbol* find_symbol_here(const struct Name* name) {
  return name->binding == NULL || name->binding->level != level ? NULL : &name->binding->symbol;
}

struct Symbol* find_tag_here(const struct Name* name) {
  return name->tag == NULL || name->tag->level != level ? NULL : &name->tag->symbol;
}

struct Symbol* declare(struct Name* name, enum SymbolKind kind, const struct Type* type) {
  struct Binding** place = kind == kSymbolTag ? &name->tag : &name->binding;
  if (*place != NULL && (*place)->level == level) {
    source_error("%s is declared twice", name->text);
  }
  struct obstack* where = scope == NULL ? &permanent_obstack : &scope_obstack;
  struct Binding* binding = NEW_IN(where, struct Binding);
  memset(binding, 0, sizeof *binding);
  binding->symbol.kind = kind;
  binding->symbol.name = name;
  binding->symbol.type = type;
  binding->name = name;
  binding->outer = *place;
  binding->level = level;
  *place = binding;
  if (scope != NULL) {
    binding->next = scope->bindings;
    scope->bindings = binding;
  }
  ++declared_symbols;
  return &binding->symbol;
}
