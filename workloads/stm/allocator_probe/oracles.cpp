#include "stm/allocator_probe/oracles.h"

#include <cinttypes>
#include <cstdint>
#include <cstdio>

#include <mmt/stm/orecs.h>

namespace mmt::workloads::stm {

namespace {

struct Oracle {
  const char* what;
  uintptr_t one, other;
  unsigned shift;
  bool shared;
};

constexpr Oracle kOracles[] = {
    {"nodes 32 bytes apart", 0x18000020, 0x18000040, 5, false},
    {"nodes 16 bytes apart", 0x18000020, 0x18000030, 5, true},
    {"the same, shift 4", 0x18000020, 0x18000030, 4, false},
    {"end of 48 bytes, next", 0x18000020, 0x18000030, 5, true},
    {"end of 64 bytes, next", 0x18000030, 0x18000040, 5, false},
    {"arenas 64 MiB apart", 0x18000000, 0x1c000000, 5, true},
    {"the same, shift 4", 0x18000000, 0x1c000000, 4, true},
    {"the same, shift 7", 0x18000000, 0x1c000000, 7, false},
    {"superblocks of 64 KiB", 0x18000000, 0x18010000, 5, false},
    {"superblocks of 16 KiB", 0x18000000, 0x18004000, 5, false},
};

}  // namespace

int print_address_oracles() {
  bool right = true;
  for (const Oracle& oracle : kOracles) {
    mmt::stm::Options options;
    options.shift = oracle.shift;
    const mmt::stm::Orecs<mmt::stm::RealWorld> orecs(options);
    const bool shared = orecs.index_of(oracle.one) == orecs.index_of(oracle.other);
    right = right && shared == oracle.shared;
    std::printf("%-14s %-22s %12s %12s %s\n", "one lock?", oracle.what, shared ? "yes" : "no",
                oracle.shared ? "yes" : "no", shared == oracle.shared ? "holds" : "DIFFERS");
  }
  return right ? 0 : 1;
}

}  // namespace mmt::workloads::stm
