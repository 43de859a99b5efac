#include "classic/cfront/failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int source_line = 0;
static const char* name = "";

void source_name(const char* given) { name = given; }

static void say_and_end(int status, const char* format, va_list arguments)
    __attribute__((noreturn));
static void say_and_end(int status, const char* format, va_list arguments) {
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  fflush(stdout);
  _Exit(status);
}

void cfront_fail(int status, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s: ", CFRONT_VARIANT);
  say_and_end(status, format, arguments);
}

void source_error(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s: %s:%d: ", CFRONT_VARIANT, name, source_line);
  say_and_end(kStatusBadInput, format, arguments);
}
