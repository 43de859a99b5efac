// Runs what was compiled: proof that the code means what its source says. Its one function that is
// not compiled is `void print(long)`.
#pragma once

#include "classic/cfront/back/unit.h"

struct Machine;

CFRONT_API struct Machine* machine_new(void);
CFRONT_API void machine_take(void* machine, const struct Symbol* symbol, const struct Code* code);
// Calls `int main(void)` of the unit that was compiled last and returns its value; what is printed
// goes to stdout, a number a line. Faults end the program with status 1.
CFRONT_API int64_t machine_run(struct Machine* machine);
CFRONT_API void machine_free(struct Machine* machine);
