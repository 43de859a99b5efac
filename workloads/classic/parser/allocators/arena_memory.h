// Where the arena of an allocator comes from, and what ends the program.
#pragma once

#include <stddef.h>

#include "classic/parser/failure.h"

// The size that SPEC's 197.parser has.
enum { kArenaBytes = 30 << 20 };

// kArenaBytes from the operating system, aligned to a page; ends the program if there are none.
PARSER_API void* arena_memory(void);

// Ends the program, for which the arena is too small.
PARSER_API void arena_full(void) __attribute__((noreturn, cold));
