// How the compiler ends when it cannot go on: a line on stderr, and an exit status.
//
// CFRONT_API is `extern` in C and `extern "C"` in C++: the compiler's sources are both.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  kStatusWrong = 1,     // what the program found about itself: wrong answer, no memory
  kStatusBadInput = 2,  // sources with mistakes, command line
};

CFRONT_API void cfront_fail(int status, const char* format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

// A mistake in the source that is being compiled, with its name and the line reached: status 2.
CFRONT_API void source_error(const char* format, ...)
    __attribute__((noreturn, cold, format(printf, 1, 2)));
CFRONT_API void source_name(const char* name);
CFRONT_API int source_line;
