#include <elf.h>

#include <bit>
#include <cstddef>
#include <cstdint>

#include <mmt/sys/placement.h>

// The loader's: the stack as the kernel laid it out. argc, then argv, environment and auxiliary
// vector, all but the last ended by null.
extern "C" const uintptr_t* __libc_stack_end __attribute__((weak));

namespace mmt::sys {
namespace {

// Above the path of the program's file: its own bytes, and less than two pages of the kernel's.
// Randomised, the stack begins up to 16 GiB below the top.
constexpr uintptr_t kTopBytes = uintptr_t{128} << 10;

const uintptr_t* behind_null(const uintptr_t* word) {
  while (*word != 0) ++word;
  return word + 1;
}

// The path lies above everything else on the stack. 0: not found.
uintptr_t program_path() {
  if (&__libc_stack_end == nullptr || __libc_stack_end == nullptr) return 0;
  const uintptr_t* word = behind_null(__libc_stack_end + 1 + *__libc_stack_end);
  for (word = behind_null(word); word[0] != AT_NULL; word += 2)
    if (word[0] == AT_EXECFN) return word[1];
  return 0;
}

}  // namespace

bool addresses_are_fixed() {
  const uintptr_t path = program_path();
  // The top of the program's addresses is a power of two, or a page below one.
  return path != 0 && std::bit_ceil(path) - path < kTopBytes;
}

}  // namespace mmt::sys
