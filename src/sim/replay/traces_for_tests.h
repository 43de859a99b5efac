// Traces that tests make: by hand, or by a seed.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "sim/replay/event_source.h"
#include "sim/replay/replay.h"
#include "tracefile/event.h"

namespace mmt::sim {

using tracefile::Event;
using tracefile::Kind;

// By hand: born(100) numbers objects as they come, died(1) and resized(1, 50) name one.
class TraceText {
 public:
  TraceText& born(uint64_t bytes, uint8_t alignment = 0) {
    Event event;
    event.object = ++newest_;
    event.bytes = bytes;
    event.alignment = alignment;
    events_.push_back(event);
    return *this;
  }
  TraceText& died(uint64_t object) {
    Event event;
    event.kind = Kind::kFree;
    event.object = object;
    events_.push_back(event);
    return *this;
  }
  TraceText& resized(uint64_t object, uint64_t bytes) {
    Event event;
    event.kind = Kind::kResize;
    event.object = object;
    event.bytes = bytes;
    events_.push_back(event);
    return *this;
  }
  const std::vector<Event>& events() const { return events_; }

 private:
  uint64_t newest_ = 0;
  std::vector<Event> events_;
};

// A program that keeps about `live` objects, of sizes up to `most`, a few of them up to `large`.
inline std::vector<Event> some_trace(size_t count, uint64_t seed, size_t live = 60,
                                     uint64_t most = 400, uint64_t large = 20000) {
  std::mt19937_64 random(seed);
  TraceText trace;
  std::vector<uint64_t> alive;
  uint64_t newest = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t dice = random() % (2 * live);
    if (alive.empty() || dice >= alive.size()) {
      const uint64_t bytes = random() % 40 == 0 ? random() % large : 1 + random() % most;
      const auto alignment = static_cast<uint8_t>(random() % 30 == 0 ? 5 + random() % 4 : 0);
      trace.born(bytes, alignment);
      alive.push_back(++newest);
      continue;
    }
    const size_t at = random() % alive.size();
    if (random() % 12 == 0) {
      trace.resized(alive[at], random() % (2 * most));
      continue;
    }
    trace.died(alive[at]);
    alive[at] = alive.back();
    alive.pop_back();
  }
  return trace.events();
}

inline std::vector<RowEvent> rows_of(const std::vector<Event>& events) {
  ObjectRows rows;
  std::vector<RowEvent> out;
  rows.translate(events, out);
  return out;
}

}  // namespace mmt::sim
