#include "sim/replay/object_slots.h"

namespace mmt::sim {

void ObjectSlots::translate(std::span<const tracefile::Event> events, std::vector<SlotEvent>& out) {
  using tracefile::Kind;
  out.resize(events.size());
  for (size_t i = 0; i < events.size(); ++i) {
    const tracefile::Event& event = events[i];
    SlotEvent& slot_event = out[i];
    slot_event = {};
    if (event.kind == Kind::kAllocate) {
      slot_event = {SlotEvent::Op::kAllocate, event.alignment, add(event.object), event.bytes};
      continue;
    }
    if (event.kind != Kind::kFree && event.kind != Kind::kResize) continue;
    core::FlatMap<Slot>::Entry* const entry = slots_.find(event.object);
    if (entry == nullptr) continue;
    if (event.kind == Kind::kResize) {
      slot_event = {SlotEvent::Op::kResize, 0, entry->value, event.bytes};
      continue;
    }
    slot_event = {SlotEvent::Op::kFree, 0, entry->value, 0};
    unused_.push_back(entry->value);
    slots_.remove(entry);
  }
}

Slot ObjectSlots::add(tracefile::Object object) {
  Slot slot = next_;
  if (unused_.empty()) {
    ++next_;
  } else {
    slot = unused_.back();
    unused_.pop_back();
  }
  slots_.add(object, slot);
  return slot;
}

}  // namespace mmt::sim
