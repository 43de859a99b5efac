// The parser: a recursive descent over the tokens that checks types and builds trees. These are its
// parts, for each other.
#pragma once

#include "classic/cfront/front/symbol.h"

// --- tokens: `current` is the one looked at ---
CFRONT_API struct Token current;
CFRONT_API void advance(void);
CFRONT_API bool accept(int kind);
CFRONT_API void expect(int kind, const char* what);
// Around what can contain itself: brackets that are too deep are mistakes.
CFRONT_API void parse_deeper(void);
CFRONT_API void parse_back(void);

// --- types and declarations ---
CFRONT_API bool begins_type(void);
struct Specifiers {
  const struct Type* type;
  bool is_typedef;
  bool is_extern;
  bool is_static;
};
CFRONT_API struct Specifiers parse_specifiers(void);
// Pointers, name, brackets; the name may be missing where `name` is null.
CFRONT_API const struct Type* parse_declarator(const struct Type* type, struct Name** name,
                                               bool is_abstract);
CFRONT_API const struct Type* parse_type_name(void);
// The declarations of one statement of a block; their initialisers are appended to *place.
CFRONT_API struct Node** parse_local_declaration(struct Node** place);
// The initial value of static data.
CFRONT_API const struct Type* parse_static_value(const struct Type* type, int64_t* address);

// --- expressions ---
CFRONT_API struct Node* parse_expression(void);
CFRONT_API struct Node* parse_assignment(void);
CFRONT_API struct Node* parse_conditional(void);
CFRONT_API struct Node* parse_unary(void);
CFRONT_API int64_t parse_constant(void);

// --- what the rules of types make of operands ---
// As a value: arrays become pointers.
CFRONT_API struct Node* as_value(struct Node* node);
CFRONT_API struct Node* as_condition(struct Node* node);
// As a value of that type, as an assignment converts it.
CFRONT_API struct Node* as_assigned(struct Node* node, const struct Type* type);
CFRONT_API struct Node* converted(struct Node* node, const struct Type* type);
CFRONT_API struct Node* make_binary(enum NodeKind kind, struct Node* a, struct Node* b);
CFRONT_API struct Node* make_assignment(struct Node* to, struct Node* from);
CFRONT_API struct Node* make_assignment_with(enum NodeKind kind, struct Node* to,
                                             struct Node* from);
CFRONT_API struct Node* make_step(struct Node* of, int by, bool is_late);
CFRONT_API struct Node* make_address(struct Node* node);
CFRONT_API struct Node* make_dereference(struct Node* node);

// --- statements, functions ---
struct Function {
  struct Symbol* symbol;
  struct Local* parameters;  // in order, by next; then all other locals
  int parameter_count;
  struct Node* body;
};
CFRONT_API const struct Type* result_type;  // of the function that is being parsed
CFRONT_API struct Local* new_local(const struct Type* type);
CFRONT_API void parse_body(struct Function* function);

// The next function of the unit, or false at its end; other declarations are taken in between.
CFRONT_API bool parse_function(struct Function* function);
CFRONT_API void parse_open(void);
