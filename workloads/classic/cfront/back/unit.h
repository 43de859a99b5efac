// Compiles a unit, function by function: parse, then fold, generate, clean, assign registers. Each
// function's tree and code are freed before the next one.
#pragma once

#include "classic/cfront/back/code.h"

struct UnitResult {
  long functions;
  long symbols;       // declared, local ones too
  long instructions;  // in the end
  long in_frame;      // virtual registers that found no real one
  uint64_t checksum;  // of all code
  double parse_seconds;
};

struct UnitTaker {
  // Gets each function's code, which is gone afterwards.
  void (*take)(void* to, const struct Symbol* symbol, const struct Code* code);
  void* to;
};

// `text` ends with a zero byte. With a `taker`, or null.
CFRONT_API void unit_compile(const char* text, const char* name, const struct UnitTaker* taker,
                             struct UnitResult* result);
// The end of all that the unit has left: names, symbols of file scope, data.
CFRONT_API void unit_close(void);
