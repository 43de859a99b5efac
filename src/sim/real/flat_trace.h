// A trace as the replay by real allocators reads it (replay_real.cpp), and the laboratory
// (lab/mmt_lab/traces/flat.py): a header, then events of one size. Written and read on the same
// machine. The header says its own size and an event's; who changes a field changes the magic, too.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mmt::sim {

// "MMTFLAT3"
inline constexpr uint64_t kFlatMagic = 0x3354414C46544D4D;

struct FlatEvent {
  uint8_t op;         // RowEvent::Op
  uint8_t alignment;  // log2; 0: malloc's
  uint16_t unused;
  uint32_t row;
  uint64_t bytes;
};
static_assert(sizeof(FlatEvent) == 16 && offsetof(FlatEvent, alignment) == 1 &&
                  offsetof(FlatEvent, row) == 4 && offsetof(FlatEvent, bytes) == 8,
              "lab/mmt_lab/traces/flat.py reads these");

struct FlatHeader {
  uint64_t magic = kFlatMagic;
  uint32_t header_bytes = 40;
  uint32_t event_bytes = sizeof(FlatEvent);
  uint64_t events = 0;
  uint64_t rows = 0;        // objects are numbered below it
  uint64_t peak_event = 0;  // behind it the most bytes are live
};
static_assert(sizeof(FlatHeader) == FlatHeader{}.header_bytes && offsetof(FlatHeader, events) == 16,
              "lab/mmt_lab/traces/flat.py reads these");

}  // namespace mmt::sim
