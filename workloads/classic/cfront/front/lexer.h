// Tokens of the source as they are written, with directives still among them.
#pragma once

#include "classic/cfront/front/token.h"

// `text` ends with a zero byte, and stays.
CFRONT_API void lexer_open(const char* text);
CFRONT_API void lexer_next(struct Token* token);
// The first character of the next token, without taking it; and what comes next, blank or not.
CFRONT_API char lexer_peek(void);
CFRONT_API char lexer_at(void);
// Whether the next token is on the same line, which ends the lines of directives.
CFRONT_API bool lexer_is_in_line(void);
// Skips to a directive at the beginning of a line, behind its '#'. False at the end of the source.
CFRONT_API bool lexer_skip_to_directive(void);
