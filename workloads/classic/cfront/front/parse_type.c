// Types as they are written: specifiers, declarators, structs, enumerations.
#include "classic/cfront/front/parse.h"
#include "classic/cfront/obstacks.h"

bool begins_type(void) {
  switch (current.kind) {
    case kTokenChar:
    case kTokenConst:
    case kTokenEnum:
    case kTokenInt:
    case kTokenLong:
    case kTokenShort:
    case kTokenSigned:
    case kTokenStruct:
    case kTokenUnsigned:
    case kTokenVoid:
      return true;
    case kTokenName: {
      const struct Symbol* symbol = find_symbol(current.is.name);
      return symbol != NULL && symbol->kind == kSymbolTypedef;
    }
    default:
      return false;
  }
}

static struct Field* parse_fields(void) {
  struct Field* first = NULL;
  struct Field** place = &first;
  while (!accept('}')) {
    if (!begins_type()) source_error("a field without a type");
    const struct Type* base = parse_specifiers().type;
    do {
      struct Name* name = NULL;
      const struct Type* type = parse_declarator(base, &name, false);
      for (const struct Field* field = first; field != NULL; field = field->next) {
        if (field->name == name) source_error("the field %s is there twice", name->text);
      }
      struct Field* field = NEW_IN(type_obstack, struct Field);
      field->next = NULL;
      field->name = name;
      field->type = type;
      *place = field;
      place = &field->next;
    } while (accept(','));
    expect(';', "';' behind a field");
  }
  if (first == NULL) source_error("a struct without fields");
  return first;
}

static const struct Type* parse_struct(void) {
  struct Name* tag = current.kind == kTokenName ? current.is.name : NULL;
  if (tag != NULL) advance();
  if (tag == NULL && current.kind != '{') source_error("a struct needs a tag or fields");
  if (current.kind != '{') {
    const struct Symbol* known = find_tag(tag);
    if (known != NULL) return known->type;
    const struct Type* type = new_struct();
    declare(tag, kSymbolTag, type);
    return type;
  }
  advance();
  struct Type* type = NULL;
  const struct Symbol* known = tag == NULL ? NULL : find_tag_here(tag);
  if (known != NULL) {
    if (known->type->kind != kTypeStruct || known->type->size != 0) {
      source_error("struct %s is defined twice", tag->text);
    }
    // It was made by new_struct(), and waits for its fields.
    type = (struct Type*)known->type;
  } else {
    type = new_struct();
    if (tag != NULL) declare(tag, kSymbolTag, type);
  }
  parse_deeper();
  complete_struct(type, parse_fields());
  parse_back();
  return type;
}

static const struct Type* parse_enumeration(void) {
  if (current.kind == kTokenName) {
    struct Name* tag = current.is.name;
    advance();
    if (current.kind != '{') return &kIntType;
    declare(tag, kSymbolTag, &kIntType);
  }
  expect('{', "the constants of an enumeration");
  int64_t next = 0;
  do {
    if (current.kind == '}') break;
    if (current.kind != kTokenName) source_error("a constant without a name");
    struct Name* name = current.is.name;
    advance();
    if (accept('=')) next = parse_constant();
    declare(name, kSymbolConstant, &kIntType)->number = wrapped(next, &kIntType);
    ++next;
  } while (accept(','));
  expect('}', "'}' behind an enumeration");
  return &kIntType;
}

enum {
  kSawSigned = 1,
  kSawUnsigned = 2,
  kSawChar = 4,
  kSawShort = 8,
  kSawInt = 16,
  kSawLong = 32,
  kSawVoid = 64
};

static int specifier_bit(int token) {
  switch (token) {
    case kTokenSigned:
      return kSawSigned;
    case kTokenUnsigned:
      return kSawUnsigned;
    case kTokenChar:
      return kSawChar;
    case kTokenShort:
      return kSawShort;
    case kTokenInt:
      return kSawInt;
    case kTokenLong:
      return kSawLong;
    case kTokenVoid:
      return kSawVoid;
    default:
      return 0;
  }
}

static const struct Type* type_of_bits(int seen) {
  const bool is_unsigned = (seen & kSawUnsigned) != 0;
  switch (seen & ~(kSawSigned | kSawUnsigned)) {
    case kSawVoid:
      return &kVoidType;
    case kSawChar:
      return is_unsigned ? &kUnsignedCharType : &kCharType;
    case kSawShort:
    case kSawShort | kSawInt:
      return is_unsigned ? &kUnsignedShortType : &kShortType;
    case kSawLong:
    case kSawLong | kSawInt:
      return is_unsigned ? &kUnsignedLongType : &kLongType;
    case 0:
    case kSawInt:
      return is_unsigned ? &kUnsignedType : &kIntType;
    default:
      source_error("these types do not go together");
  }
}

struct Specifiers parse_specifiers(void) {
  struct Specifiers result = {NULL, false, false, false};
  int seen = 0;
  for (;; advance()) {
    const int bit = specifier_bit(current.kind);
    if (bit != 0) {
      if (result.type != NULL || (seen & bit & ~kSawLong)) source_error("a type too many");
      seen |= bit;
    } else if (current.kind == kTokenTypedef) {
      result.is_typedef = true;
    } else if (current.kind == kTokenExtern) {
      result.is_extern = true;
    } else if (current.kind == kTokenStatic) {
      result.is_static = true;
    } else if (current.kind != kTokenConst) {
      break;
    }
  }
  if (seen != 0) {
    result.type = type_of_bits(seen);
  } else if (accept(kTokenStruct)) {
    result.type = parse_struct();
  } else if (accept(kTokenEnum)) {
    result.type = parse_enumeration();
  } else if (begins_type()) {
    result.type = find_symbol(current.is.name)->type;
    advance();
  } else {
    source_error("a type is missing");
  }
  accept(kTokenConst);
  return result;
}

static struct Parameter* parse_parameters(void) {
  struct Parameter* first = NULL;
  struct Parameter** place = &first;
  if (accept(')')) return NULL;
  do {
    const struct Type* type = parse_specifiers().type;
    if (type->kind == kTypeVoid && first == NULL && current.kind == ')') break;
    struct Name* name = NULL;
    type = parse_declarator(type, &name, true);
    if (type->kind == kTypeArray) type = pointer_to(type->of);
    if (!is_scalar(type)) source_error("a parameter that is no number and no pointer");
    struct Parameter* parameter = NEW_IN(type_obstack, struct Parameter);
    parameter->next = NULL;
    parameter->type = type;
    parameter->name = name;
    *place = parameter;
    place = &parameter->next;
  } while (accept(','));
  expect(')', "')' behind parameters");
  return first;
}

static const struct Type* parse_suffix(const struct Type* type) {
  if (accept('[')) {
    parse_deeper();
    int64_t count = -1;
    if (current.kind != ']') {
      count = parse_constant();
      if (count < 1 || count > (1 << 28)) source_error("an array of %ld", (long)count);
    }
    expect(']', "']'");
    const struct Type* element = parse_suffix(type);
    parse_back();
    return array_of(element, (int)count);
  }
  if (accept('(')) {
    if (type->kind == kTypeArray || type->kind == kTypeStruct) {
      source_error("a function returns a number, a pointer or nothing");
    }
    return function_of(type, parse_parameters());
  }
  return type;
}

const struct Type* parse_declarator(const struct Type* type, struct Name** name, bool is_abstract) {
  int stars = 0;
  while (accept('*')) {
    if (++stars > 100) source_error("a pointer to a pointer that is too deep");
    type = pointer_to(type);
    accept(kTokenConst);
  }
  if (current.kind == kTokenName) {
    *name = current.is.name;
    advance();
  } else if (!is_abstract) {
    source_error("a name is missing");
  }
  return parse_suffix(type);
}

const struct Type* parse_type_name(void) {
  struct Name* name = NULL;
  const struct Type* type = parse_declarator(parse_specifiers().type, &name, true);
  if (name != NULL) source_error("a name within a type");
  return type;
}
