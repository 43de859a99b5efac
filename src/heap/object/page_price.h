#pragma once
// What making a page resident costs, as the memory thread has measured it, or usually does.
#include <atomic>
#include <cstdint>

#include "heap/object/heap.h"

namespace mmt::heap {

inline constexpr uint64_t kLeastPageNs = 250;
inline constexpr uint64_t kUsualPageNs = 500;

// Relaxed: it is a number, by which nothing else is found. Any thread may call it.
inline uint64_t page_price_ns(const Heap& heap) {
  const uint64_t price = heap.page_price_ns.load(std::memory_order_relaxed);
  return price != 0 ? price : kUsualPageNs;
}

}  // namespace mmt::heap
