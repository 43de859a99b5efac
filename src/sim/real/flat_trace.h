// A trace as the replay by real allocators reads it (replay_real.cpp): a header, then events of one
// size. Written and read on the same machine, by programs of the same build.
#pragma once

#include <cstdint>

namespace mmt::sim {

// "MMTFLAT2"
inline constexpr uint64_t kFlatMagic = 0x3254414C46544D4D;

struct FlatHeader {
  uint64_t magic;
  uint64_t events;
  uint64_t rows;        // objects are numbered below it
  uint64_t peak_event;  // behind it the most bytes are live
};

struct FlatEvent {
  uint8_t op;         // RowEvent::Op
  uint8_t alignment;  // log2; 0: malloc's
  uint16_t unused;
  uint32_t row;
  uint64_t bytes;
};
static_assert(sizeof(FlatEvent) == 16);

}  // namespace mmt::sim
