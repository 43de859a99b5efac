// The function stands before libc's. It allocates, without any look at where it is called from,
// counts in a thread-local variable, and goes on to libc's. The header is included once in a
// program or a library.
#pragma once

#include <dlfcn.h>
#include <stdlib.h>

__thread long interposed_calls_here;
static long interposed_calls_of_all;

// How many calls came here, by any thread.
long interposed_calls(void) { return interposed_calls_of_all; }

static void visit(void) {
  ++interposed_calls_here;
  __atomic_fetch_add(&interposed_calls_of_all, 1, __ATOMIC_RELAXED);
  char* block = malloc(40);
  if (block != NULL) *block = 1;
  free(block);
}

#define GOES_ON(result, name, parameters, arguments)            \
  result name parameters {                                      \
    static result(*next) parameters;                            \
    visit();                                                    \
    if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, #name); \
    return next arguments;                                      \
  }
