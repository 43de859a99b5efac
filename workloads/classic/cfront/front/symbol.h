// What names stand for, by scopes. What a scope declares lies in scope_obstack and ends with it, by
// freeing the scope, its first object; file scope is permanent.
#pragma once

#include "classic/cfront/front/node.h"

enum SymbolKind {
  kSymbolGlobal,
  kSymbolLocal,
  kSymbolFunction,
  kSymbolTypedef,
  kSymbolConstant,
  kSymbolTag
};

struct Symbol {
  enum SymbolKind kind;
  const struct Name* name;
  const struct Type* type;
  struct Local* local;
  int64_t number;   // address, value of a constant, or number of a function
  bool is_defined;  // of a function or a variable
};

struct Binding {
  struct Symbol symbol;
  struct Name* name;
  struct Binding* outer;  // what it hides
  struct Binding* next;   // in its scope
  int level;              // of scopes: 0 is file scope
};

CFRONT_API void scopes_open(void);
CFRONT_API void scope_enter(void);
CFRONT_API void scope_leave(void);
CFRONT_API bool is_file_scope(void);

// The innermost one; null if there is none.
CFRONT_API struct Symbol* find_symbol(const struct Name* name);
CFRONT_API struct Symbol* find_tag(const struct Name* name);
// As above, of this very scope.
CFRONT_API struct Symbol* find_symbol_here(const struct Name* name);
CFRONT_API struct Symbol* find_tag_here(const struct Name* name);

// A new one of this scope.
CFRONT_API struct Symbol* declare(struct Name* name, enum SymbolKind kind, const struct Type* type);
// Counts all that were declared, local ones too.
CFRONT_API long declared_symbols;
