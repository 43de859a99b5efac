// How the parser ends when it cannot go on: a line on stderr that begins with the program's name
// (PARSER_VARIANT), and an exit status.
//
// PARSER_API is `extern` in C and `extern "C"` in C++: the sources of the parser are both.
#pragma once

enum {
  kStatusWrong = 1,     // what the program found about itself: wrong answer, no memory
  kStatusBadInput = 2,  // dictionary, sentences, command line
};

PARSER_API void parser_fail(int status, const char* format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));
