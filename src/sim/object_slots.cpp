#include "sim/object_slots.h"

#include <bit>

namespace mmt::sim {
namespace {

constexpr size_t kFirstEntries = 1024;
constexpr uint64_t kGolden = 0x9E3779B97F4A7C15;  // 2^64 by the golden ratio: spreads neighbours

}  // namespace

ObjectSlots::ObjectSlots()
    : entries_(kFirstEntries),
      shift_(64 - static_cast<unsigned>(std::countr_zero(kFirstEntries))) {}

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
    const size_t place = find(event.object);
    const Entry entry = entries_[place];
    if (entry.object == 0) continue;
    if (event.kind == Kind::kResize) {
      slot_event = {SlotEvent::Op::kResize, event.alignment, entry.slot, event.bytes};
      continue;
    }
    slot_event = {SlotEvent::Op::kFree, 0, entry.slot, 0};
    remove(place);
    unused_.push_back(entry.slot);
  }
}

Slot ObjectSlots::add(tracefile::Object object) {
  if ((live_ + 1) * 2 > entries_.size()) grow();
  Slot slot = next_;
  if (unused_.empty()) {
    ++next_;
  } else {
    slot = unused_.back();
    unused_.pop_back();
  }
  entries_[find(object)] = {object, slot};
  ++live_;
  return slot;
}

size_t ObjectSlots::home(tracefile::Object object) const { return (object * kGolden) >> shift_; }

size_t ObjectSlots::find(tracefile::Object object) const {
  const size_t mask = entries_.size() - 1;
  size_t place = home(object);
  while (entries_[place].object != 0 && entries_[place].object != object) {
    place = (place + 1) & mask;
  }
  return place;
}

// Moves up those behind it that would no longer be found.
void ObjectSlots::remove(size_t place) {
  const size_t mask = entries_.size() - 1;
  size_t hole = place;
  for (size_t next = (hole + 1) & mask; entries_[next].object != 0; next = (next + 1) & mask) {
    if (((next - home(entries_[next].object)) & mask) < ((next - hole) & mask)) continue;
    entries_[hole] = entries_[next];
    hole = next;
  }
  entries_[hole] = {};
  --live_;
}

void ObjectSlots::grow() {
  std::vector<Entry> before(entries_.size() * 2);
  before.swap(entries_);
  --shift_;
  for (const Entry& entry : before) {
    if (entry.object != 0) entries_[find(entry.object)] = entry;
  }
}

}  // namespace mmt::sim
