// What one model did on one trace; docs/simulator.md says what each figure is. Filled by Replay.
#pragma once

#include <cstdint>

#include "sim/metrics/histogram.h"
#include "sim/metrics/tally.h"

namespace mmt::sim {

// Nodes looked at by the operations of one kind.
struct Searches {
  Tally nodes;
  Histogram histogram;

  void add(uint64_t visits, uint64_t event) {
    nodes.add(visits, event);
    histogram.add(visits);
  }
};

// Bytes that live chunks have beyond what was asked for.
struct Waste {
  uint64_t header = 0;
  uint64_t minimum = 0;   // a free chunk's node is larger than the request
  uint64_t rounding = 0;  // granule, size class, rests that were too small to split off

  uint64_t total() const { return header + minimum + rounding; }
};

// Johnstone's and Wilson's four figures of fragmentation (1998): memory had over memory asked for,
// both in bytes.
struct Fragmentation {
  double average_sum = 0;  // #1: at each event at which anything was live
  uint64_t average_count = 0;
  uint64_t end_at_most_live = 0;  // #2: the heap when most was live, over that
  uint64_t live_at_most_end = 0;  // #3: the largest heap over what was live at its last growth
                                  // #4: the largest heap over the most that was ever live
};

struct Metrics {
  uint64_t events = 0;  // of the trace, also those that no model sees
  uint64_t allocations = 0;
  uint64_t frees = 0;
  uint64_t resizes = 0;
  uint64_t moved = 0;   // resizes that took another chunk; they count as a search and a free
  uint64_t failed = 0;  // requests for which there was no memory
  uint64_t requested_bytes = 0;

  Searches allocation;
  Searches freeing;
  uint64_t rebalanced = 0;

  uint64_t chunks_freed = 0;   // by frees and by resizes that moved
  uint64_t chunks_joined = 0;  // of these, with one neighbour or two
  uint64_t neighbours = 0;     // that were joined
  uint64_t splits = 0;
  uint64_t growths = 0;

  Waste waste;  // of all chunks ever given out
  // Values behind each event that the model sees: bytes, but for the number of free chunks.
  Tally live_waste;
  Tally free_chunks;
  Tally end;  // bytes that the heap has
  Tally live;
  Fragmentation fragmentation;

  double seconds = 0;  // of the replay alone
};

}  // namespace mmt::sim
