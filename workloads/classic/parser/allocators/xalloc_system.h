// The system's malloc and free instead of an arena. So that all blocks can be freed at once, each
// is in a list of all.
#pragma once

#include <stddef.h>

#include "classic/parser/failure.h"

PARSER_API void xalloc_open(void);
PARSER_API void* xalloc(size_t bytes);
PARSER_API void xfree(void* block);
PARSER_API void xfree_all(void);
