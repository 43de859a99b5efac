#pragma once
// What a depot has had at most. Relaxed: peaks are for statistics, and order nothing.
#include <cstddef>

namespace mmt::store {

// Kept as memory is taken, so that they are exact however short it was.
struct DepotPeaks {
  size_t used = 0;  // bytes of spans and large blocks: the program's blocks were never more
  size_t held = 0;  // that, and free slots that held memory
};

// *peak becomes the larger of it and `value`, whoever else raises it meanwhile.
inline void raise_peak(size_t* peak, size_t value) {
  size_t highest = __atomic_load_n(peak, __ATOMIC_RELAXED);
  while (value > highest && !__atomic_compare_exchange_n(peak, &highest, value, true,
                                                         __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

}  // namespace mmt::store
