#pragma once
// Return addresses of calls, by numbers of 16 bits. A place that is found taken by another address
// leads to its neighbours; where these are taken too, the address goes without a number. Any
// thread, any context, lock-free.
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>

#include "harden/words.h"

namespace mmt::harden {

class Sites {
 public:
  static constexpr Site kNone = 0;

  MMT_ALWAYS_INLINE Site number_of(const void* address) {
    const Site first = place_of(address);
    // Relaxed: the address is all there is to see.
    if (MMT_LIKELY(__atomic_load_n(&addresses_[first], __ATOMIC_RELAXED) == address)) return first;
    return add(address, first);
  }
  // nullptr: it is not known.
  const void* address_of(Site site) const {
    return site == kNone ? nullptr : __atomic_load_n(&addresses_[site], __ATOMIC_RELAXED);
  }

 private:
  static constexpr size_t kCount = size_t{1} << 16;
  static constexpr size_t kNeighbours = 8;

  static MMT_ALWAYS_INLINE Site place_of(const void* address) {
    return static_cast<Site>(reinterpret_cast<uintptr_t>(address) * 0x9E3779B97F4A7C15 >> 48);
  }
  MMT_COLD Site add(const void* address, Site first);

  const void* addresses_[kCount];
};

extern Sites sites;

}  // namespace mmt::harden
