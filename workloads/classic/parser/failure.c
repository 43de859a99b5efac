#include "classic/parser/failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void parser_fail(int status, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s: ", PARSER_VARIANT);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  fflush(stdout);
  _Exit(status);
}
