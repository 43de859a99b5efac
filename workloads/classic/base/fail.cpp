#include "base/fail.h"

#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace mmt::workloads::classic {

namespace {

const char* g_name = "?";

[[noreturn]] void end(int status, const char* format, va_list arguments) {
  std::fprintf(stderr, "%s: ", g_name);
  std::vfprintf(stderr, format, arguments);
  std::fputc('\n', stderr);
  ::_exit(status);
}

}  // namespace

void name_program(const char* name) { g_name = name; }

void bad_input(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  end(2, format, arguments);
}

void fail(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  end(1, format, arguments);
}

}  // namespace mmt::workloads::classic
