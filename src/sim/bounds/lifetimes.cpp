#include "sim/bounds/lifetimes.h"

#include <algorithm>
#include <stdexcept>

#include <mmt/core/checked.h>
#include <mmt/layers/heap.h>

#include "sim/replay/object_rows.h"
#include "tracefile/event.h"

namespace mmt::sim {
namespace {

constexpr uint32_t kNoBlock = UINT32_MAX;

class Reading {
 public:
  explicit Reading(uint64_t align) : align_(align) {}

  void step(const RowEvent& event) {
    if (event.row >= block_of_.size() && event.op != RowEvent::Op::kNothing) {
      block_of_.resize(std::max<size_t>(event.row + 1, block_of_.size() * 2), kNoBlock);
      asked_of_.resize(block_of_.size());
    }
    if (event.op == RowEvent::Op::kAllocate && can_bear(event.bytes)) bear(event);
    if (event.op == RowEvent::Op::kFree) die(event.row);
    if (event.op == RowEvent::Op::kResize && can_bear(event.bytes)) {
      die(event.row);
      bear(event);
    }
    ++event_;
  }

  Lifetimes finish() { return std::move(all_); }

 private:
  // No allocator has more, as no model: such a request leaves all as it was.
  bool can_bear(uint64_t bytes) const {
    static_assert(tracefile::kMostBytes == layers::kMaxRequest);
    return bytes <= tracefile::kMostBytes && bytes <= tracefile::kMostBytes - all_.bump_bytes;
  }
  void bear(const RowEvent& event) {
    if (all_.blocks.size() >> 31 != 0) throw std::runtime_error("more than 2^31 blocks to pack");
    const uint64_t bytes = core::align_up(std::max<uint64_t>(event.bytes, 1), align_);
    const auto block = static_cast<uint32_t>(all_.blocks.size());
    block_of_[event.row] = block;
    asked_of_[event.row] = event.bytes;
    all_.blocks.push_back({event_, UINT64_MAX, bytes, 0});
    all_.steps.push_back({block & 0x7FFFFFFF, 1});
    all_.bump_bytes += bytes;
    live_ += bytes;
    asked_ += event.bytes;
    if (asked_ > all_.most_live) {
      all_.most_live = asked_;
      all_.most_live_event = event_;
    }
    if (live_ > all_.rounded_most_live) {
      all_.rounded_most_live = live_;
      all_.steps_at_peak = all_.steps.size();
    }
  }
  void die(Row row) {
    const uint32_t block = block_of_[row];
    if (block == kNoBlock) return;
    block_of_[row] = kNoBlock;
    all_.blocks[block].death = event_;
    all_.steps.push_back({block & 0x7FFFFFFF, 0});
    live_ -= all_.blocks[block].bytes;
    asked_ -= asked_of_[row];
  }

  uint64_t align_;
  uint64_t event_ = 0;
  uint64_t live_ = 0;
  uint64_t asked_ = 0;
  std::vector<uint32_t> block_of_;  // by row
  std::vector<uint64_t> asked_of_;
  Lifetimes all_;
};

}  // namespace

Lifetimes read_lifetimes(EventSource& source, uint64_t align) {
  Reading reading(align);
  ObjectRows rows;
  std::vector<RowEvent> events;
  source.rewind();
  for (auto part = source.next(); !part.empty(); part = source.next()) {
    rows.translate(part, events);
    for (const RowEvent& event : events) reading.step(event);
  }
  return reading.finish();
}

}  // namespace mmt::sim
