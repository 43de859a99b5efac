#include "sim/replay/object_rows.h"

namespace mmt::sim {

void ObjectRows::translate(std::span<const tracefile::Event> events, std::vector<RowEvent>& out) {
  using tracefile::Kind;
  out.resize(events.size());
  for (size_t i = 0; i < events.size(); ++i) {
    const tracefile::Event& event = events[i];
    RowEvent& row_event = out[i];
    row_event = {};
    if (event.kind == Kind::kAllocate) {
      row_event = {RowEvent::Op::kAllocate, event.alignment, add(event.object), event.bytes};
      continue;
    }
    if (event.kind != Kind::kFree && event.kind != Kind::kResize) continue;
    core::FlatMap<Row>::Entry* const entry = rows_.find(event.object);
    if (entry == nullptr) continue;
    if (event.kind == Kind::kResize) {
      row_event = {RowEvent::Op::kResize, 0, entry->value, event.bytes};
      continue;
    }
    row_event = {RowEvent::Op::kFree, 0, entry->value, 0};
    unused_.push_back(entry->value);
    rows_.remove(entry);
  }
}

Row ObjectRows::add(tracefile::Object object) {
  Row row = next_;
  if (unused_.empty()) {
    ++next_;
  } else {
    row = unused_.back();
    unused_.pop_back();
  }
  rows_.add(object, row);
  return row;
}

}  // namespace mmt::sim
