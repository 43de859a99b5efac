#include "classic/cfront/front/lexer.h"

#include <string.h>

#include "classic/cfront/obstacks.h"

enum { kLetter = 1, kDigit = 2, kBlank = 4 };

static unsigned char classes[256];
static const char* at;
static bool line_begins;

void lexer_open(const char* text) {
  for (int c = 'a'; c <= 'z'; ++c) classes[c] = classes[c - 'a' + 'A'] = kLetter;
  for (int c = '0'; c <= '9'; ++c) classes[c] = kDigit;
  classes[(unsigned char)'_'] = kLetter;
  for (const char* blank = " \t\r"; *blank != '\0'; ++blank) {
    classes[(unsigned char)*blank] = kBlank;
  }
  at = text;
  line_begins = true;
  source_line = 1;
}

static int class_of(char c) { return classes[(unsigned char)c]; }

// To the end of the comment; a comment may hold ends of lines, which do not count for directives.
static void skip_comment(void) {
  for (at += 2; !(at[0] == '*' && at[1] == '/'); ++at) {
    if (*at == '\0') source_error("a comment without an end");
    if (*at == '\n') ++source_line;
  }
  at += 2;
}

// Skips what is between tokens; stops at the end of a line if asked to.
static void skip(bool in_line) {
  for (;;) {
    if (class_of(*at) == kBlank) {
      ++at;
    } else if (*at == '\n') {
      if (in_line) return;
      ++at;
      ++source_line;
      line_begins = true;
    } else if (at[0] == '\\' && at[1] == '\n') {
      at += 2;
      ++source_line;
    } else if (at[0] == '/' && at[1] == '*') {
      skip_comment();
    } else if (at[0] == '/' && at[1] == '/') {
      at += strcspn(at, "\n");
    } else {
      return;
    }
  }
}

bool lexer_is_in_line(void) {
  skip(true);
  return *at != '\n' && *at != '\0';
}

char lexer_peek(void) {
  skip(false);
  return *at;
}

char lexer_at(void) { return *at; }

bool lexer_skip_to_directive(void) {
  for (;;) {
    while (*at != '\n' && *at != '\0') ++at;
    if (*at == '\0') return false;
    skip(false);
    if (*at == '#') {
      ++at;
      line_begins = false;
      return true;
    }
  }
}

static void lex_name(struct Token* token) {
  do {
    obstack_1grow(&permanent_obstack, *at++);
  } while (class_of(*at) & (kLetter | kDigit));
  const int length = (int)obstack_object_size(&permanent_obstack);
  obstack_1grow(&permanent_obstack, '\0');
  token->is.name = name_of((char*)obstack_finish(&permanent_obstack), length);
  token->kind = token->is.name->token;
}

static int digit_of(char c) {
  if (class_of(c) == kDigit) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

static void lex_number(struct Token* token) {
  int base = 10;
  if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
    base = 16;
    at += 2;
    if (digit_of(*at) >= 16) source_error("a number without digits");
  } else if (at[0] == '0') {
    base = 8;
  }
  uint64_t number = 0;
  for (; digit_of(*at) < base; ++at) {
    const uint64_t next = number * (uint64_t)base + (uint64_t)digit_of(*at);
    if (next / (uint64_t)base != number) source_error("a number that is too large");
    number = next;
  }
  for (;; ++at) {
    if (*at == 'u' || *at == 'U') {
      token->is_unsigned = true;
    } else if (*at == 'l' || *at == 'L') {
      token->is_long = true;
    } else {
      break;
    }
  }
  if (class_of(*at) & (kLetter | kDigit)) source_error("a number that ends in '%c'", *at);
  token->kind = kTokenNumber;
  token->is.number = number;
}

static int lex_character(void) {
  if (*at == '\0' || *at == '\n') source_error("a literal without an end");
  if (*at != '\\') return (unsigned char)*at++;
  ++at;
  static const char kEscapes[] = "ntr0\\'\"abf";
  static const char kMeanings[] = "\n\t\r\0\\'\"\a\b\f";
  const char* escape = *at == '\0' ? NULL : strchr(kEscapes, *at);
  if (escape == NULL) source_error("an unknown escape");
  ++at;
  return kMeanings[escape - kEscapes];
}

static void lex_string(struct Token* token) {
  ++at;
  while (*at != '"') obstack_1grow(&permanent_obstack, (char)lex_character());
  ++at;
  token->length = (int)obstack_object_size(&permanent_obstack);
  obstack_1grow(&permanent_obstack, '\0');
  token->kind = kTokenString;
  token->is.text = (const char*)obstack_finish(&permanent_obstack);
}

static void lex_character_literal(struct Token* token) {
  ++at;
  token->kind = kTokenNumber;
  token->is.number = (uint64_t)(int64_t)(signed char)lex_character();
  if (*at++ != '\'') source_error("a character without an end");
}

struct Punctuator {
  char text[4];
  int kind;
};
// Longer ones first.
static const struct Punctuator kPunctuators[] = {
    {"<<=", kTokenShiftLeftAssign},
    {">>=", kTokenShiftRightAssign},
    {"->", kTokenArrow},
    {"++", kTokenIncrement},
    {"--", kTokenDecrement},
    {"<<", kTokenShiftLeft},
    {">>", kTokenShiftRight},
    {"<=", kTokenLessEqual},
    {">=", kTokenGreaterEqual},
    {"==", kTokenEqual},
    {"!=", kTokenNotEqual},
    {"&&", kTokenAndAnd},
    {"||", kTokenOrOr},
    {"+=", kTokenAddAssign},
    {"-=", kTokenSubAssign},
    {"*=", kTokenMulAssign},
    {"/=", kTokenDivAssign},
    {"%=", kTokenModAssign},
    {"&=", kTokenAndAssign},
    {"|=", kTokenOrAssign},
    {"^=", kTokenXorAssign},
};

static void lex_punctuator(struct Token* token) {
  token->kind = (unsigned char)*at;
  if (strchr("(){}[];,.?:~#", *at) == NULL) {
    const int count = (int)(sizeof kPunctuators / sizeof kPunctuators[0]);
    for (int i = 0; i < count; ++i) {
      const struct Punctuator* punctuator = &kPunctuators[i];
      const char* text = punctuator->text;
      if (at[0] == text[0] && at[1] == text[1] && (text[2] == '\0' || at[2] == text[2])) {
        token->kind = punctuator->kind;
        at += text[2] == '\0' ? 2 : 3;
        return;
      }
    }
    if (strchr("+-*/%<>=!&|^", *at) == NULL) source_error("a stray character '%c'", *at);
  }
  ++at;
}

void lexer_next(struct Token* token) {
  skip(false);
  token->line = source_line;
  token->length = 0;
  token->is_long = token->is_unsigned = token->is_expanded = false;
  token->begins_line = line_begins;
  line_begins = false;
  const int class_here = class_of(*at);
  if (class_here == kLetter) {
    lex_name(token);
  } else if (class_here == kDigit) {
    lex_number(token);
  } else if (*at == '"') {
    lex_string(token);
  } else if (*at == '\'') {
    lex_character_literal(token);
  } else if (*at == '\0') {
    token->kind = kTokenEnd;
  } else {
    lex_punctuator(token);
  }
}
