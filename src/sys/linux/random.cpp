#include <sys/auxv.h>
#include <sys/random.h>

#include <bit>

#include <mmt/sys/random.h>
#include <mmt/sys/syscall.h>

namespace mmt::sys {
namespace {

// Half of the bits go: nobody computes back from one result to the stack's canary, which the kernel
// makes of the same bytes.
uint64_t one_way(uint64_t a, uint64_t b) {
  for (int round = 0; round < 16; ++round) {
    a = (a + b) * 0x9e3779b97f4a7c15u;
    b = std::rotl(b, 29) ^ a ^ a >> 32;
  }
  return a ^ b;
}

}  // namespace

uint64_t random_bits() {
  uint64_t bits = 0;
  if (raw_syscall(SYS_getrandom, pointer_argument(&bits), sizeof bits, GRND_NONBLOCK) ==
      sizeof bits)
    return bits;
  const auto* const given = reinterpret_cast<const uint64_t*>(getauxval(AT_RANDOM));
  if (given == nullptr) return reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return one_way(given[0], given[1]);
}

}  // namespace mmt::sys
