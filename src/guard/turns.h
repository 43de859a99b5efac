#pragma once
// Each thread counts its allocations down. The one at which the count falls below zero is due for a
// place of the pool, and draws the next count at random.
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>

#include "heap/object/fast_path.h"

namespace mmt::guard {

struct Turns {
  int32_t left;       // allocations before the next one that is due
  bool is_drawn;      // false: of a thread that has not drawn yet
  uint8_t thinning;   // counts are as many times doubled
  uint64_t spent_ns;  // see budget.h
};
extern __thread Turns turns;

// Counts an allocation. Whether it is due. Not to be called before the library is relocated.
MMT_ALWAYS_INLINE bool count_one() { return MMT_UNLIKELY(--turns.left < 0); }
// The same on a slow path, where a fast path has counted sizes that are its own.
MMT_ALWAYS_INLINE bool count_slow(size_t bytes) {
  if (!heap::fast_sizes.include(bytes)) return count_one();
  return MMT_UNLIKELY(turns.left < 0);
}

// One in so many allocations is to be due from now on. Which, follows from the seed.
void set_rate(uint64_t rate, uint64_t seed);
// Draws the calling thread's next count. False: the allocation is not due after all, since the
// thread has had no count, or no rate is set yet.
bool draw();
// The calling thread's counts to come are half as long, or twice.
void change_thinning(bool is_shorter);
// Bits for other choices: quick to come by, and not for secrets.
uint64_t some_bits();

}  // namespace mmt::guard
