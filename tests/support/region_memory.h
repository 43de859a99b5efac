// A region never gives its address space back: a process has one, for as long as it lives. Tests
// and fuzzers have many, and each is to find the places free that the one before it had.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <memory>

#include "native/region.h"

namespace mmt::test {

// All address space of a region goes back to the system: its tables, which lie below the slots, and
// all up to its end. Nobody may use it any more.
inline void return_memory(const native::Region& region) {
  const auto* const start = reinterpret_cast<const char*>(region.class_table());
  const char* const end = region.base() + region.mapped_bytes();
  munmap(const_cast<char*>(start), static_cast<size_t>(end - start));
}

struct ReturnsMemory {
  void operator()(native::Region* region) const {
    return_memory(*region);
    delete region;
  }
};

// A region that gives back what it has; it must have been opened.
using OwnedRegion = std::unique_ptr<native::Region, ReturnsMemory>;

}  // namespace mmt::test
