#include "sim/replay/replay.h"

#include <algorithm>
#include <chrono>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/fit/requests.h>

#include "tracefile/memory_bound.h"

namespace mmt::sim {
namespace {

constexpr size_t kPart = 2048;             // events between two looks at the memory's bound
constexpr size_t kTooMuch = SIZE_MAX / 2;  // no policy gives that

}  // namespace

void Replay::run(std::span<const RowEvent> events) {
  const auto start = std::chrono::steady_clock::now();
  for (size_t at = 0; at < events.size(); at += kPart) {
    run_part(events.subspan(at, std::min(kPart, events.size() - at)));
    tracefile::MemoryBound::look();
  }
  metrics_.events = event_;
  metrics_.seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void Replay::run_part(std::span<const RowEvent> events) {
  for (const RowEvent& event : events) {
    switch (event.op) {
      case RowEvent::Op::kAllocate:
        allocate(event);
        account();
        break;
      case RowEvent::Op::kFree:
        free(event);
        account();
        break;
      case RowEvent::Op::kResize:
        resize(event);
        account();
        break;
      case RowEvent::Op::kNothing:
        break;
    }
    if (MMT_UNLIKELY(event_ >= wakes_at_)) wake();
    ++event_;
  }
}

void Replay::wake() {
  wakes_at_ = UINT64_MAX;
  for (Watching& one : watchers_) {
    if (event_ >= one.next) one.next = one.watcher->stepped(event_);
    wakes_at_ = std::min(wakes_at_, one.next);
  }
}

void Replay::count_touches(Touches* touches) {
  touches_ = touches;
  model_.count_touches(touches);
}

void Replay::begin() {
  if (MMT_UNLIKELY(touches_ != nullptr)) touches_->begin();
}

// The program writes to what it has got.
void Replay::end(const Placed& written) {
  if (MMT_LIKELY(touches_ == nullptr)) return;
  if (written.at != kNone) touches_->wrote(written.at, written.bytes);
  touches_->end(event_);
}

void Replay::allocate(const RowEvent& event) {
  ++metrics_.allocations;
  begin();
  if (MMT_UNLIKELY(event.row >= objects_.size())) {
    objects_.resize(std::max<size_t>(event.row + 1, objects_.size() * 3 / 2));
  }
  Placed& placed = objects_[event.row];
  placed = place(event.bytes, event.alignment);
  end(placed);
  for (Observer* one : observers_) one->allocated(event_, event.row, placed);
}

void Replay::free(const RowEvent& event) {
  ++metrics_.frees;
  const Placed placed = objects_[event.row];
  objects_[event.row] = {};
  if (MMT_UNLIKELY(placed.base == kNone)) return;
  begin();
  release(placed);
  end({});
  for (Observer* one : observers_) one->freed(event_, event.row, placed);
}

void Replay::resize(const RowEvent& event) {
  ++metrics_.resizes;
  const Placed before = objects_[event.row];
  Placed& placed = objects_[event.row];
  begin();
  const uint64_t skipped = before.at - before.base;
  if (before.base != kNone && model_.resize(before.base, before.asked, skipped, event.bytes)) {
    live_bytes_ += event.bytes - before.bytes;
    placed.bytes = event.bytes;
    if (model_.shape().header == layers::fit::Header::kNone) placed.asked = skipped + event.bytes;
  } else {
    const Placed now = place(event.bytes, 0);
    // Without memory the old block stays, as realloc's does.
    if (now.base != kNone) {
      ++metrics_.moved;
      if (before.base != kNone) release(before);
      placed = now;
    }
  }
  end(placed);
  for (Observer* one : observers_) one->resized(event_, event.row, before, placed);
}

Placed Replay::place(uint64_t bytes, uint8_t alignment) {
  const uint64_t wanted = uint64_t{1} << alignment;
  const uint64_t has = model_.shape().granule;
  const bool is_aligned = wanted <= has;
  const uint64_t asked = is_aligned ? bytes : layers::fit::aligned_bytes(bytes, wanted, has);
  const Address base = model_.allocate(is_aligned || asked != 0 ? asked : kTooMuch);
  const Work& work = model_.work();
  metrics_.allocation.add(work.visits, event_);
  metrics_.rebalanced += work.rebalanced;
  metrics_.splits += work.splits;
  if (MMT_UNLIKELY(work.growths != 0)) metrics_.growths += work.growths;
  if (MMT_UNLIKELY(base == kNone)) {
    ++metrics_.failed;
    return {};
  }
  metrics_.requested_bytes += bytes;
  const uint64_t chunk = model_.last_chunk();
  const Waste waste = waste_of(bytes, chunk);
  metrics_.waste.header += waste.header;
  metrics_.waste.minimum += waste.minimum;
  metrics_.waste.rounding += waste.rounding;
  live_bytes_ += bytes;
  live_chunks_bytes_ += chunk;
  if (MMT_UNLIKELY(work.growths != 0)) note_growth();
  return {base, is_aligned ? base : core::align_up(base, wanted), asked, bytes};
}

void Replay::release(const Placed& placed) {
  model_.free(placed.base, placed.asked);
  const Work& work = model_.work();
  metrics_.freeing.add(work.visits, event_);
  metrics_.rebalanced += work.rebalanced;
  ++metrics_.chunks_freed;
  metrics_.chunks_joined += work.neighbours != 0;
  metrics_.neighbours += work.neighbours;
  live_bytes_ -= placed.bytes;
  live_chunks_bytes_ -= model_.last_chunk();
}

Waste Replay::waste_of(uint64_t bytes, uint64_t chunk) const {
  Waste waste;
  waste.header = model_.header_bytes();
  const uint64_t used = bytes + waste.header;
  const uint64_t least = model_.least_chunk();
  waste.minimum = used < least ? std::min(least, chunk) - used : 0;
  waste.rounding = chunk - used - waste.minimum;
  return waste;
}

void Replay::note_growth() { metrics_.fragmentation.live_at_most_end = live_bytes_; }

// At each event: averages are over events.
void Replay::account() {
  Fragmentation& fragmentation = metrics_.fragmentation;
  const uint64_t end = model_.end();
  metrics_.end.add(end, event_);
  metrics_.free_chunks.add(model_.free_chunks(), event_);
  metrics_.live_waste.add(live_chunks_bytes_ - live_bytes_, event_);
  if (MMT_UNLIKELY(live_bytes_ > metrics_.live.max)) fragmentation.end_at_most_live = end;
  metrics_.live.add(live_bytes_, event_);
  if (MMT_LIKELY(live_bytes_ != 0)) {
    fragmentation.average_sum += static_cast<double>(end) / static_cast<double>(live_bytes_);
    ++fragmentation.average_count;
  }
}

}  // namespace mmt::sim
