#pragma once
// Which raw system calls, made by libc's syscall(), a library looks at before they are made, beside
// those that confine the program (confinement.h).
#include <array>

#include <mmt/sys/syscall.h>

namespace mmt::confine {

struct NoSeenCalls {
  static constexpr std::array<long, 0> kNumbers{};
  static void note(const sys::SystemCall&) {}
};

// Numbers are below this.
inline constexpr long kCallNumbers = 512;

struct CallSet {
  unsigned long words[kCallNumbers / 64] = {};
  constexpr void add(long number) { words[number / 64] |= 1ul << number % 64; }
};

}  // namespace mmt::confine
