#pragma once
// Double of a recorded program: a stream of events that hangs together, by a seed.
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tracefile/event.h"
#include "tracefile/writer.h"

namespace mmt::tracefile {

inline std::vector<Event> some_events(size_t count, uint64_t seed, uint32_t sites = 0) {
  std::mt19937_64 random(seed);
  std::vector<Event> events;
  std::vector<Object> live;
  Object newest = 0;
  while (events.size() < count) {
    Event event;
    event.thread = static_cast<uint32_t>(random() % 8 < 7 ? 0 : random() % 3);
    const uint64_t dice = random() % 100;
    if (live.empty() || dice < 50) {
      event.kind = Kind::kAllocate;
      event.object = ++newest;
      event.bytes = random() >> (random() % 64);
      event.zeroed = random() % 4 == 0;
      event.alignment = static_cast<uint8_t>(random() % 10 == 0 ? 1 + random() % 63 : 0);
      if (sites != 0) event.site = static_cast<uint32_t>(random() % (sites + 1));
      live.push_back(newest);
    } else if (dice < 98) {
      const size_t at = random() % live.size();
      event.kind = dice < 88 ? Kind::kFree : Kind::kResize;
      event.object = live[at];
      if (event.kind == Kind::kResize) event.bytes = random() % 1000;
      if (event.kind == Kind::kFree) {
        live[at] = live.back();
        live.pop_back();
      }
    } else {
      event.kind = dice == 98 ? Kind::kPhase : Kind::kThreadStart;
      if (event.kind == Kind::kPhase) event.bytes = random() % 10;
    }
    events.push_back(event);
  }
  return events;
}

inline bool is_same(const Event& one, const Event& other) {
  return one.kind == other.kind && one.zeroed == other.zeroed && one.alignment == other.alignment &&
         one.thread == other.thread && one.site == other.site && one.object == other.object &&
         one.bytes == other.bytes;
}

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void put_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<long>(bytes.size()));
}

inline void write_trace(const std::string& path, const std::vector<Event>& events,
                        bool finished = true) {
  Writer writer(path, {"a program", "a test", 17, 42});
  uint64_t ns = 0;
  for (const Event& one : events) writer.add(one, ns += 10);
  if (finished) writer.finish();
}

}  // namespace mmt::tracefile
