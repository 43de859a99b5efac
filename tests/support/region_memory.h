// A region never gives its address space back: a process has one, for as long as it lives. Tests
// and fuzzers have many, and each is to find the places free that the one before it had.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <memory>

#include "heap/store/region.h"

namespace mmt::test {

// All address space of a region goes back to the system. The address space of others that lies in
// between stays: that of other heaps, whose places are random, too. Nobody may use the region any
// more.
inline void return_memory(const store::Region& region) {
  const size_t end = region.mapped_bytes() >> store::kSlotShift;
  for (size_t slot = region.first(); slot < end; ++slot) {
    const size_t first = slot;
    while (slot < end && region.class_of(slot) != store::kForeign) ++slot;
    if (slot == first) continue;
    munmap(region.address(static_cast<store::Slot>(first)), (slot - first) << store::kSlotShift);
  }
  region.for_each_table([](char* start, size_t bytes) { munmap(start, bytes); });
}

struct ReturnsMemory {
  void operator()(store::Region* region) const {
    return_memory(*region);
    delete region;
  }
};

// A region that gives back what it has; it must have been opened.
using OwnedRegion = std::unique_ptr<store::Region, ReturnsMemory>;

}  // namespace mmt::test
