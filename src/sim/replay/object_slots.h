// Turns objects, which are numbered by birth, into slots that are used again. So tables of live
// objects are as long as there are live objects. Shared by the models of one trace. One thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/flat_map.h"
#include "tracefile/event.h"

namespace mmt::sim {

using Slot = uint32_t;

// An event whose object is a slot. What models do not see keeps its place, so that events have the
// numbers that they have in the trace.
struct SlotEvent {
  enum class Op : uint8_t { kAllocate, kFree, kResize, kNothing };
  Op op = Op::kNothing;
  uint8_t alignment = 0;  // log2; 0: malloc's
  Slot slot = 0;
  uint64_t bytes = 0;
};

class ObjectSlots {
 public:
  // The events of `events` instead of what `out` held. Events of objects that are not live become
  // nothing: where a slice begins, there are some from before.
  void translate(std::span<const tracefile::Event> events, std::vector<SlotEvent>& out);

  uint64_t live() const { return slots_.size(); }
  // Slots that were ever used at a time.
  Slot most() const { return next_; }

 private:
  Slot add(tracefile::Object object);

  core::FlatMap<Slot> slots_;
  Slot next_ = 0;
  std::vector<Slot> unused_;
};

}  // namespace mmt::sim
