// A trace as blocks that are born and die, for the packings of bounds.h. A resize is a death and a
// birth at the same event. 32 bytes a block, 4 an event.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/bounds/bounds.h"
#include "sim/replay/event_source.h"

namespace mmt::sim {

struct Lifetimes {
  // A block's birth or death, in order.
  struct Step {
    uint32_t block : 31;
    uint32_t is_birth : 1;
  };

  std::vector<Packed> blocks;
  std::vector<Step> steps;
  size_t steps_at_peak = 0;  // the steps before it lead to where most is live
  uint64_t most_live = 0;
  uint64_t most_live_event = 0;
  uint64_t rounded_most_live = 0;
  uint64_t bump_bytes = 0;
};

// Throws std::runtime_error where there are more than 2^31 blocks, and as the source does. `align`:
// bytes, a power of two.
Lifetimes read_lifetimes(EventSource& source, uint64_t align);

}  // namespace mmt::sim
