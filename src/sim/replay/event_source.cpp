#include "sim/replay/event_source.h"

namespace mmt::sim {

std::span<const tracefile::Event> EventSlice::next() {
  while (at_ < end_) {
    std::span<const tracefile::Event> events = whole_->next();
    if (events.empty()) break;
    const uint64_t from = at_;
    at_ += events.size();
    if (at_ <= first_) continue;
    const uint64_t skipped = first_ > from ? first_ - from : 0;
    events = events.subspan(skipped, std::min(end_, at_) - from - skipped);
    if (!events.empty()) return events;
  }
  return {};
}

void EventSlice::rewind() {
  whole_->rewind();
  at_ = 0;
}

}  // namespace mmt::sim
