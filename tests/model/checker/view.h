// A view is what a thread, or a stored value, knows of the memory. It has the oldest store of each
// location that may still be read (coherence). It also has which of each thread's plain accesses
// happened before (clock), and which of its stream fences (streams). A store past the caches counts
// once the fence after it does.
#pragma once

#include <cstdint>

namespace mmt::model {

inline constexpr int kMaxThreads = 6;
inline constexpr int kMaxLocations = 48;

using ThreadMask = uint32_t;
inline constexpr ThreadMask bit(int thread) { return ThreadMask{1} << thread; }

// Vector clock; a thread's own component grows with each of its release operations.
struct Clock {
  uint16_t at[kMaxThreads] = {};

  void join(const Clock& other) {
    for (int i = 0; i < kMaxThreads; ++i) {
      if (at[i] < other.at[i]) at[i] = other.at[i];
    }
  }
  bool knows(int thread, uint16_t tick) const { return at[thread] >= tick; }
};

// Position of a store in its location's modification order. Positions are sparse so that a store
// can be placed between two others.
using Time = uint32_t;

struct Seen {
  Time at[kMaxLocations] = {};

  void join(const Seen& other) {
    for (int i = 0; i < kMaxLocations; ++i) {
      if (at[i] < other.at[i]) at[i] = other.at[i];
    }
  }
};

struct View {
  Seen seen;
  Clock clock;
  Clock streams;

  void join(const View& other) {
    seen.join(other.seen);
    clock.join(other.clock);
    streams.join(other.streams);
  }
};

}  // namespace mmt::model
