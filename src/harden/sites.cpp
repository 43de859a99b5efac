#include "harden/sites.h"

#include <mmt/sys/random.h>

namespace mmt::harden {

constinit Sites sites{};
constinit Secrets secrets{};

Site Sites::add(const void* address, Site first) {
  for (size_t i = 0; i < kNeighbours; ++i) {
    const auto place = static_cast<Site>(first + i);
    if (place == kNone) continue;
    const void* seen = nullptr;
    // Relaxed: the address is all there is to see.
    if (__atomic_compare_exchange_n(&addresses_[place], &seen, address, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED) ||
        seen == address)
      return place;
  }
  return kNone;
}

void choose_secrets() {
  const uint64_t random = sys::random_bits();
  secrets.sum = random | 1;
  // 0x81 to 0xfe.
  const uint64_t byte = 0x81 + (random >> 32) % 0x7e;
  secrets.gap = byte * 0x0101010101010101;
}

}  // namespace mmt::harden
