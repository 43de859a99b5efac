#pragma once
// Numbers that nobody can guess.
#include <cstdint>

namespace mmt::sys {

// 64 bits from the kernel, by a call that never waits and that libc makes too. Where the kernel has
// none yet, or refuses, they are a one-way mixture of what it gave the process at its start. Any
// context, any thread.
uint64_t random_bits();

}  // namespace mmt::sys
