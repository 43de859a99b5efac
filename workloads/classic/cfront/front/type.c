#include "classic/cfront/front/type.h"

#include <string.h>

#include "classic/cfront/back/arithmetic.h"
#include "classic/cfront/obstacks.h"

const struct Type kVoidType = {kTypeVoid, 0, 1, false, 0, NULL, 0, NULL, NULL};
const struct Type kCharType = {kTypeInteger, 1, 1, false, 1, NULL, 0, NULL, NULL};
const struct Type kUnsignedCharType = {kTypeInteger, 1, 1, true, 1, NULL, 0, NULL, NULL};
const struct Type kShortType = {kTypeInteger, 2, 2, false, 2, NULL, 0, NULL, NULL};
const struct Type kUnsignedShortType = {kTypeInteger, 2, 2, true, 2, NULL, 0, NULL, NULL};
const struct Type kIntType = {kTypeInteger, 4, 4, false, 3, NULL, 0, NULL, NULL};
const struct Type kUnsignedType = {kTypeInteger, 4, 4, true, 3, NULL, 0, NULL, NULL};
const struct Type kLongType = {kTypeInteger, 8, 8, false, 4, NULL, 0, NULL, NULL};
const struct Type kUnsignedLongType = {kTypeInteger, 8, 8, true, 4, NULL, 0, NULL, NULL};

struct obstack* type_obstack;

static struct Type* new_type(enum TypeKind kind, int size, const struct Type* of) {
  struct Type* type = NEW_IN(type_obstack, struct Type);
  memset(type, 0, sizeof *type);
  type->kind = kind;
  type->size = size;
  type->alignment = size;
  type->of = of;
  return type;
}

const struct Type* pointer_to(const struct Type* type) {
  struct Type* pointer = new_type(kTypePointer, 8, type);
  pointer->is_unsigned = true;
  return pointer;
}

const struct Type* array_of(const struct Type* type, int count) {
  if (type->size == 0) source_error("an array of what has no size");
  if (count > (1 << 28) / type->size) source_error("an array that is too large");
  struct Type* array = new_type(kTypeArray, count < 0 ? 0 : count * type->size, type);
  array->alignment = type->alignment;
  array->count = count;
  return array;
}

struct Type* new_struct(void) {
  return new_type(kTypeStruct, 0, NULL);
}

void complete_struct(struct Type* type, struct Field* fields) {
  int offset = 0, alignment = 1;
  for (struct Field* field = fields; field != NULL; field = field->next) {
    const int step = field->type->alignment;
    if (field->type->size == 0) source_error("the field %s has no size", field->name->text);
    offset = (offset + step - 1) / step * step;
    field->offset = offset;
    if (offset > (1 << 28) - field->type->size) source_error("a struct that is too large");
    offset += field->type->size;
    if (step > alignment) alignment = step;
  }
  type->fields = fields;
  type->alignment = alignment;
  type->size = (offset + alignment - 1) / alignment * alignment;
}

const struct Type* function_of(const struct Type* result, struct Parameter* parameters) {
  struct Type* type = new_type(kTypeFunction, 0, result);
  type->parameters = parameters;
  return type;
}

bool same_type(const struct Type* a, const struct Type* b) {
  if (a == b) return true;
  if (a->kind != b->kind || a->kind == kTypeStruct) return false;
  if (a->kind == kTypeInteger) return a->size == b->size && a->is_unsigned == b->is_unsigned;
  if (a->kind == kTypeVoid) return true;
  if (a->kind == kTypeArray && a->count != b->count) return false;
  const struct Parameter* second = b->parameters;
  for (const struct Parameter* first = a->parameters; first != NULL; first = first->next) {
    if (second == NULL || !same_type(first->type, second->type)) return false;
    second = second->next;
  }
  return second == NULL && same_type(a->of, b->of);
}

const struct Type* promoted(const struct Type* type) {
  return is_integer(type) && type->rank < kIntType.rank ? &kIntType : type;
}

const struct Type* common_type(const struct Type* a, const struct Type* b) {
  a = promoted(a);
  b = promoted(b);
  if (a->rank != b->rank) return a->rank > b->rank ? a : b;
  return a->is_unsigned ? a : b;
}

int64_t wrapped(int64_t number, const struct Type* type) {
  return type->size == 0 ? number : cut(number, type->size, type->is_unsigned);
}
