#include "classic/cfront/front/directive.h"

#include <string.h>

#include "classic/cfront/front/lexer.h"
#include "classic/cfront/obstacks.h"

static int conditions;  // that were begun and read on

void directives_open(void) { conditions = 0; }

void directives_close(void) {
  if (conditions != 0) source_error("%d conditions without #endif", conditions);
}

static struct Name* take_name(void) {
  struct Token token;
  if (!lexer_is_in_line()) source_error("a directive ends too early");
  lexer_next(&token);
  // Keywords are names here.
  if (token.kind != kTokenName &&
      (token.kind < kTokenFirstKeyword || token.kind >= kTokenPastKeywords)) {
    source_error("a name is missing in a directive");
  }
  return token.is.name;
}

static void end_line(void) {
  if (lexer_is_in_line()) source_error("too much in a directive");
}

static int read_parameters(struct Name** names) {
  int count = 0;
  struct Token token;
  lexer_next(&token);
  if (lexer_peek() == ')') {
    lexer_next(&token);
    return 0;
  }
  do {
    if (count == kMostParameters) source_error("a macro with too many parameters");
    names[count++] = take_name();
    lexer_next(&token);
  } while (token.kind == ',');
  if (token.kind != ')') source_error("the parameters of a macro have no end");
  return count;
}

static void define(void) {
  struct Name* name = take_name();
  if (name->macro != NULL) source_error("the macro %s is defined twice", name->text);
  struct Name* parameters[kMostParameters];
  const int count = lexer_at() == '(' ? read_parameters(parameters) : -1;
  // Not in permanent_obstack, where names grow meanwhile.
  while (lexer_is_in_line()) {
    struct Token token;
    lexer_next(&token);
    if (token.kind == '#') source_error("no # in the bodies of macros");
    for (int i = 0; i < count; ++i) {
      if (token.kind == kTokenName && token.is.name == parameters[i]) {
        token.kind = kTokenParameter;
        token.is.number = (uint64_t)i;
        break;
      }
    }
    obstack_grow(&macro_obstack, &token, (int)sizeof token);
  }
  const int bytes = (int)obstack_object_size(&macro_obstack);
  void* body = obstack_finish(&macro_obstack);
  struct Macro* macro = NEW_IN(&permanent_obstack, struct Macro);
  macro->parameters = count;
  macro->length = bytes / (int)sizeof(struct Token);
  macro->is_active = false;
  macro->body = (const struct Token*)obstack_copy(&permanent_obstack, body, bytes);
  obstack_free(&macro_obstack, body);
  name->macro = macro;
}

static bool is_called(const struct Name* name, const char* text) {
  return strcmp(name->text, text) == 0;
}

// To the #else or #endif that belongs to a condition that does not hold.
static void leave_out(bool or_else) {
  int nested = 0;
  while (lexer_skip_to_directive()) {
    const struct Name* name = take_name();
    if (is_called(name, "ifdef") || is_called(name, "ifndef") || is_called(name, "if")) {
      ++nested;
    } else if (is_called(name, "endif") && nested-- == 0) {
      end_line();
      return;
    } else if (is_called(name, "else") && nested == 0 && or_else) {
      end_line();
      ++conditions;
      return;
    }
  }
  source_error("a condition without #endif");
}

static void begin_condition(bool holds) {
  end_line();
  if (holds) {
    ++conditions;
  } else {
    leave_out(true);
  }
}

static bool read_number(void) {
  struct Token token;
  if (lexer_is_in_line()) {
    lexer_next(&token);
    if (token.kind == kTokenNumber) return token.is.number != 0;
  }
  source_error("no number behind #if");
}

void carry_out_directive(void) {
  if (!lexer_is_in_line()) return;
  const struct Name* name = take_name();
  if (is_called(name, "define")) {
    define();
  } else if (is_called(name, "undef")) {
    take_name()->macro = NULL;
    end_line();
  } else if (is_called(name, "ifdef")) {
    begin_condition(take_name()->macro != NULL);
  } else if (is_called(name, "ifndef")) {
    begin_condition(take_name()->macro == NULL);
  } else if (is_called(name, "if")) {
    begin_condition(read_number());
  } else if (is_called(name, "else") || is_called(name, "endif")) {
    if (conditions-- == 0) source_error("#%s without a condition", name->text);
    end_line();
    if (is_called(name, "else")) leave_out(false);
  } else {
    source_error("an unknown directive: %s", name->text);
  }
}
