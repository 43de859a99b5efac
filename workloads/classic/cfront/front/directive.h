// Directives, and the macros that they define.
#pragma once

#include "classic/cfront/front/token.h"

enum { kMostParameters = 16, kTokenParameter = kTokenPastKeywords };

struct Macro {
  int parameters;  // -1: none, not even brackets
  int length;
  bool is_active;            // its expansion is being read
  const struct Token* body;  // a parameter is a kTokenParameter with its number
};

CFRONT_API void directives_open(void);
// To the end of the line that began with '#', and of what it leaves out.
CFRONT_API void carry_out_directive(void);
// At the end of the source: every condition must have ended.
CFRONT_API void directives_close(void);
