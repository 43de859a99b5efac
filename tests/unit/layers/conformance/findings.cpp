#include "unit/layers/conformance/findings.h"

#include <cstdarg>
#include <cstdio>

namespace mmt::layers::conformance {

void Findings::put(const char* format, va_list arguments) {
  if (++count_ > kMost) return;
  char line[300];
  vsnprintf(line, sizeof line, format, arguments);
  text_ += context_ + ": " + line + "\n";
}

void Findings::add(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  put(format, arguments);
  va_end(arguments);
}

bool Findings::expect(bool condition, const char* format, ...) {
  if (condition) return true;
  va_list arguments;
  va_start(arguments, format);
  put(format, arguments);
  va_end(arguments);
  return false;
}

}  // namespace mmt::layers::conformance
