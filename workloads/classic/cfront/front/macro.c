// Arguments are expanded while they are collected, before they are put in; a macro is not expanded
// again within its own expansion.
#include "classic/cfront/front/macro.h"

#include "classic/cfront/front/directive.h"
#include "classic/cfront/front/lexer.h"
#include "classic/cfront/obstacks.h"

// An expansion that is being read. Its tokens lie behind it, and go with it.
struct Source {
  struct Source* outer;
  struct Macro* macro;
  const struct Token* at;
  const struct Token* end;
};

struct Argument {
  struct Token token;
  struct Argument* next;
};

enum { kDeepestCall = 200 };

static struct Source* source;
static int depth;  // of sources
static int collecting;

void macros_open(void) {
  source = NULL;
  depth = 0;
  collecting = 0;
  directives_open();
}

static void drop_used_sources(void) {
  while (source != NULL && source->at == source->end) {
    struct Source* used = source;
    used->macro->is_active = false;
    source = used->outer;
    --depth;
    obstack_free(&macro_obstack, used);
  }
}

static void take_raw(struct Token* token) {
  drop_used_sources();
  if (source != NULL) {
    *token = *source->at++;
    token->line = source_line;
    return;
  }
  for (;;) {
    lexer_next(token);
    if (token->kind != '#' || !token->begins_line) return;
    if (collecting > 0) source_error("a directive within the arguments of a macro");
    carry_out_directive();
  }
}

static bool parenthesis_follows(void) {
  drop_used_sources();
  return source != NULL ? source->at->kind == '(' : lexer_peek() == '(';
}

static void push_source(struct Macro* macro, struct Argument** arguments) {
  struct Source* pushed = NEW_IN(&macro_obstack, struct Source);
  for (int i = 0; i < macro->length; ++i) {
    const struct Token* token = &macro->body[i];
    if (token->kind != kTokenParameter) {
      obstack_grow(&macro_obstack, token, (int)sizeof *token);
      continue;
    }
    for (struct Argument* at = arguments[token->is.number]; at != NULL; at = at->next) {
      obstack_grow(&macro_obstack, &at->token, (int)sizeof at->token);
    }
  }
  const int bytes = (int)obstack_object_size(&macro_obstack);
  pushed->at = (const struct Token*)obstack_finish(&macro_obstack);
  pushed->end = pushed->at + bytes / (int)sizeof(struct Token);
  pushed->macro = macro;
  pushed->outer = source;
  source = pushed;
  ++depth;
  macro->is_active = true;
}

static void expand_call(struct Macro* macro) {
  struct Argument** arguments = NEW_ARRAY_IN(&argument_obstack, struct Argument*, kMostParameters);
  struct Argument** place = &arguments[0];
  int count = 0, nested = 0;
  struct Token token;
  take_raw(&token);
  const int base = depth;
  if (++collecting > kDeepestCall) source_error("macros within macros that are too deep");
  *place = NULL;
  for (;;) {
    next_token(&token);
    if (token.kind == kTokenEnd) source_error("a macro's arguments have no end");
    // What an expansion within the argument brings along separates nothing.
    if (depth <= base) {
      if (token.kind == ')' && nested == 0) break;
      if (token.kind == ',' && nested == 0) {
        if (++count == kMostParameters) source_error("a macro with too many arguments");
        place = &arguments[count];
        *place = NULL;
        continue;
      }
      nested += (token.kind == '(') - (token.kind == ')');
    }
    struct Argument* argument = NEW_IN(&argument_obstack, struct Argument);
    argument->token = token;
    argument->next = NULL;
    *place = argument;
    place = &argument->next;
  }
  --collecting;
  if (count > 0 || arguments[0] != NULL || macro->parameters > 0) ++count;
  if (count != macro->parameters) {
    source_error("a macro wants %d arguments and has %d", macro->parameters, count);
  }
  drop_used_sources();
  push_source(macro, arguments);
  obstack_free(&argument_obstack, arguments);
}

void next_token(struct Token* token) {
  for (;;) {
    take_raw(token);
    if (token->kind != kTokenName || token->is.name->macro == NULL || token->is_expanded) return;
    struct Macro* macro = token->is.name->macro;
    if (macro->is_active) {
      token->is_expanded = true;
      return;
    }
    if (macro->parameters < 0) {
      push_source(macro, NULL);
    } else if (parenthesis_follows()) {
      expand_call(macro);
    } else {
      return;
    }
  }
}
