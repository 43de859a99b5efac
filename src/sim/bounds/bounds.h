// What no policy can do better than, and what the worst does, for a trace.
//
// The packing knows all lifetimes. It is anchored at the event at which most is live: what lives
// then lies without a gap. From there it goes forwards in time, giving what is born the lowest free
// place, and backwards, where a death is a birth. Both see only the anchored blocks and their own.
// Several orders of the anchored blocks are tried, and for small traces first fit by decreasing
// size times lifetime, too. What most is live is a lower bound of every packing. To find the best
// packing is NP-hard (dynamic storage allocation: Garey, Johnson, 1979).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/replay/event_source.h"

namespace mmt::sim {

struct Bounds {
  uint64_t most_live = 0;  // bytes, as asked for
  uint64_t most_live_event = 0;
  uint64_t rounded_most_live = 0;  // sizes rounded up to the alignment: the lower bound
  uint64_t bump_bytes = 0;         // all blocks one behind the other, rounded
  uint64_t packing_bytes = 0;
  std::string packing;  // how it was found
};

// A block of the packing: it is live behind the events from `birth` on, before `death`. A block
// that is never freed dies at UINT64_MAX.
struct Packed {
  uint64_t birth = 0;
  uint64_t death = 0;
  uint64_t bytes = 0;  // rounded
  uint64_t at = 0;
};

// Reads the source from its start. `align`: bytes, a power of two. `blocks`: gets all of them, for
// tests. Throws std::runtime_error as the source does, and where there are more than 2^31 blocks.
Bounds find_bounds(EventSource& source, uint64_t align, std::vector<Packed>* blocks = nullptr);

}  // namespace mmt::sim
