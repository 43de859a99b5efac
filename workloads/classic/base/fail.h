// How a classic program ends early. Each program names itself once, first of all.
#pragma once

namespace mmt::workloads::classic {

void name_program(const char* name);

// Status 2: what the user gave cannot be used.
[[noreturn, gnu::format(printf, 1, 2)]] void bad_input(const char* format, ...);

// Status 1: the program's own check found a wrong answer, or the system refused something.
[[noreturn, gnu::format(printf, 1, 2)]] void fail(const char* format, ...);

// fail("wrong: ...") unless `right`.
inline void check(bool right, const char* what) {
  if (!right) fail("wrong: %s", what);
}

}  // namespace mmt::workloads::classic
