// Types. Those of file scope are permanent; those made within a function end with it.
#pragma once

#include "classic/cfront/front/token.h"

enum TypeKind { kTypeVoid, kTypeInteger, kTypePointer, kTypeArray, kTypeStruct, kTypeFunction };

struct Field {
  struct Field* next;
  const struct Name* name;
  const struct Type* type;
  int offset;
};

struct Parameter {
  struct Parameter* next;
  const struct Type* type;
  struct Name* name;  // null in some declarations
};

struct Type {
  enum TypeKind kind;
  int size;  // 0: not complete, void or a function
  int alignment;
  bool is_unsigned;
  int rank;               // of integers: which of two the other is converted to
  const struct Type* of;  // what a pointer points to, an array has, a function returns
  int count;              // of an array; -1 as long as it is not known
  struct Field* fields;   // of a struct
  struct Parameter* parameters;
};

CFRONT_API const struct Type kVoidType, kCharType, kUnsignedCharType, kShortType,
    kUnsignedShortType, kIntType, kUnsignedType, kLongType, kUnsignedLongType;

// Where what is made now belongs: permanent_obstack or tree_obstack.
CFRONT_API struct obstack* type_obstack;

CFRONT_API const struct Type* pointer_to(const struct Type* type);
CFRONT_API const struct Type* array_of(const struct Type* type, int count);
CFRONT_API struct Type* new_struct(void);
// Lays the fields out; the struct is complete then.
CFRONT_API void complete_struct(struct Type* type, struct Field* fields);
CFRONT_API const struct Type* function_of(const struct Type* result, struct Parameter* parameters);

CFRONT_API bool same_type(const struct Type* a, const struct Type* b);

static inline bool is_integer(const struct Type* type) { return type->kind == kTypeInteger; }
static inline bool is_pointer(const struct Type* type) { return type->kind == kTypePointer; }
static inline bool is_scalar(const struct Type* type) {
  return is_integer(type) || is_pointer(type);
}

// As a computation sees an operand: int at least; and the type of two operands together.
CFRONT_API const struct Type* promoted(const struct Type* type);
CFRONT_API const struct Type* common_type(const struct Type* a, const struct Type* b);
// A number as a value of the type has it, in 64 bits.
CFRONT_API int64_t wrapped(int64_t number, const struct Type* type);
