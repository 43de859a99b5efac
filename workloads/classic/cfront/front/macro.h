// Tokens as the parser sees them: macros expanded, directives carried out. Macros have parameters
// or not; there is no # and no ## in their bodies. Directives: define undef ifdef ifndef if else
// endif, with a number behind `if`.
#pragma once

#include "classic/cfront/front/token.h"

CFRONT_API void macros_open(void);
CFRONT_API void next_token(struct Token* token);
