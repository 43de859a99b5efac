// Tokens, and names: each name is one object, which says what it stands for at present.
#pragma once

#include "classic/cfront/failure.h"

// Punctuators of one character are that character.
enum TokenKind {
  kTokenEnd = 0,
  kTokenName = 256,
  kTokenNumber,
  kTokenString,
  kTokenArrow,
  kTokenIncrement,
  kTokenDecrement,
  kTokenShiftLeft,
  kTokenShiftRight,
  kTokenLessEqual,
  kTokenGreaterEqual,
  kTokenEqual,
  kTokenNotEqual,
  kTokenAndAnd,
  kTokenOrOr,
  kTokenAddAssign,
  kTokenSubAssign,
  kTokenMulAssign,
  kTokenDivAssign,
  kTokenModAssign,
  kTokenAndAssign,
  kTokenOrAssign,
  kTokenXorAssign,
  kTokenShiftLeftAssign,
  kTokenShiftRightAssign,
  kTokenFirstKeyword,
  kTokenBreak = kTokenFirstKeyword,
  kTokenCase,
  kTokenChar,
  kTokenConst,
  kTokenContinue,
  kTokenDefault,
  kTokenDo,
  kTokenElse,
  kTokenEnum,
  kTokenExtern,
  kTokenFor,
  kTokenIf,
  kTokenInt,
  kTokenLong,
  kTokenReturn,
  kTokenShort,
  kTokenSigned,
  kTokenSizeof,
  kTokenStatic,
  kTokenStruct,
  kTokenSwitch,
  kTokenTypedef,
  kTokenUnsigned,
  kTokenVoid,
  kTokenWhile,
  kTokenPastKeywords,
};

struct Macro;
struct Binding;

struct Name {
  const char* text;
  int length;
  int token;                // kTokenName, or the keyword that it is
  struct Name* next;        // in its bucket
  struct Macro* macro;      // or null
  struct Binding* binding;  // the innermost one, or null
  struct Binding* tag;      // of a struct or enum
};

struct Token {
  int kind;
  int line;
  union {
    struct Name* name;
    uint64_t number;
    const char* text;
  } is;
  int length;    // of a string, without its end
  bool is_long;  // what a number is besides
  bool is_unsigned;
  bool is_expanded;  // a name that is no macro here
  bool begins_line;
};

// The object of that name. `text` is the last object of permanent_obstack; it is freed if the name
// is known already.
CFRONT_API struct Name* name_of(char* text, int length);
CFRONT_API void names_open(void);
