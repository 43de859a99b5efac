// What will happen, in the order of time; of two events at one time the one noted first comes
// first.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/array.h"

namespace mmt::workloads::classic::lindsay {

struct Event {
  enum class Kind : uint8_t { kNodeReady, kLinkDone };
  uint64_t time;
  uint64_t sequence;
  Kind kind;
  uint32_t target;  // Number of the node or link.
};

class EventQueue {
 public:
  bool empty() const { return heap_.empty(); }

  void add(uint64_t time, Event::Kind kind, uint32_t target) {
    heap_.add({time, sequence_++, kind, target});
    std::push_heap(heap_.begin(), heap_.end(), is_later);
  }

  Event take_first() {
    std::pop_heap(heap_.begin(), heap_.end(), is_later);
    return heap_.take_last();
  }

 private:
  static bool is_later(const Event& a, const Event& b) {
    return a.time != b.time ? a.time > b.time : a.sequence > b.sequence;
  }

  Array<Event> heap_;
  uint64_t sequence_ = 0;
};

}  // namespace mmt::workloads::classic::lindsay
