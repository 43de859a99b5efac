#include "heap/store/spans.h"

#include <bit>

#include <mmt/core/check.h>

namespace mmt::store {
namespace {

// From this share of free blocks on a span is worth being a source.
constexpr uint32_t rich_threshold(const ClassInfo& info) {
  return info.blocks / 4 == 0 ? 1 : info.blocks / 4;
}
// Below this one it is left alone.
constexpr uint32_t poor_threshold(const ClassInfo& info) {
  return info.blocks / 16 == 0 ? 1 : info.blocks / 16;
}
// Poor spans are used before fresh memory once they hold this share of the class's blocks.
constexpr size_t kPoorShare = 8;

}  // namespace

void Spans::open(Region* region, FreeRuns* runs, NotedChanges* changes, Tally* tally) {
  region_ = region;
  runs_ = runs;
  changes_ = changes;
  tally_ = tally;
}

// All blocks of the new span are free and are the caller's.
void Spans::format(Slot slot, SizeClass c) {
  const ClassInfo& info = kClasses[c];
  Span& span = region_->span(slot);
  span.free_blocks = 0;
  span.queue = SpanQueueKind::kNone;
  span.size_class = static_cast<uint8_t>(c);
  span.idle = SpanIdle::kTouched;
  for (uint32_t i = 0; i < info.span_slots; ++i)
    region_->set_class(slot + i, static_cast<uint8_t>(c));
  __atomic_fetch_add(&classes_[c].spans, 1, __ATOMIC_RELAXED);
  tally_->change_used(0, size_t{info.span_slots} << kSlotShift);
}

// Apart, as the carving before takes much of the stack by itself.
MMT_NOINLINE void Spans::format(Slot slot, SizeClass c, uint64_t* words) {
  format(slot, c);
  for (uint32_t i = 0; i < kClasses[c].words; ++i) words[i] = full_word(kClasses[c], i);
}

Slot Spans::carve_whole(SizeClass c) {
  const uint32_t slots = kClasses[c].span_slots;
  const Slot slot = runs_->carve<Reach::kAnywhere>(slots, slots);
  if (slot != kNoSlot) format(slot, c);
  return slot;
}

SpanSupply Spans::take_span(LockToken lock, SizeClass c, uint64_t* words) {
  ClassState& state = classes_[c];
  const ClassInfo& info = kClasses[c];
  if (!state.rich.empty()) {
    const Slot slot = state.rich.lowest();
    take_queued(state.rich, slot, c, words);
    return {slot};
  }
  const bool prefer_poor = state.poor_free * kPoorShare >= class_spans(c) * info.blocks;
  if (prefer_poor && !state.poor.empty()) return take_poor_span(lock, c, words);
  runs_->reclaim_skipped(lock);
  bool clean = false;
  SpanMemory memory = SpanMemory::kUsed;
  Slot slot = kNoSlot;
  if (MMT_UNLIKELY(runs_->keeps_memory()))
    slot = runs_->slots(lock).take_dirty(info.span_slots, info.span_slots);
  if (slot == kNoSlot) slot = runs_->slots(lock).take(info.span_slots, info.span_slots, &clean);
  if (slot != kNoSlot) region_->forget_states(slot, info.span_slots);
  if (clean) memory = SpanMemory::kClean;
  if (slot == kNoSlot) {
    slot = runs_->carve<Reach::kMapped>(info.span_slots, info.span_slots);
    memory = SpanMemory::kFrontier;
  }
  if (slot == kNoSlot) return {};
  format(slot, c, words);
  return {slot, memory};
}

SpanSupply Spans::carve_span(SizeClass c, uint64_t* words) {
  const uint32_t slots = kClasses[c].span_slots;
  const Slot slot = runs_->carve<Reach::kAnywhere>(slots, slots);
  if (slot == kNoSlot) return {};
  format(slot, c, words);
  return {slot, SpanMemory::kFrontier};
}

SpanSupply Spans::take_poor_span(LockToken, SizeClass c, uint64_t* words) {
  ClassState& state = classes_[c];
  if (state.poor.empty()) return {};
  const Slot slot = state.poor.lowest();
  take_queued(state.poor, slot, c, words);
  return {slot};
}

void Spans::take_queued(SpanQueue& queue, Slot slot, SizeClass c, uint64_t* words) {
  queue.take_lowest(*region_);
  Span& span = region_->span(slot);
  if (span.queue == SpanQueueKind::kPoor) classes_[c].poor_free -= span.free_blocks;
  span.queue = SpanQueueKind::kNone;
  span.idle = SpanIdle::kTouched;
  take_free_bits(slot, span, words);
}

// The span is in no queue.
void Spans::take_free_bits(Slot slot, Span& span, uint64_t* words) {
  uint64_t* free_bits = region_->free_bits(slot);
  for (uint32_t i = 0; i < kClasses[span.size_class].words; ++i) {
    words[i] = free_bits[i];
    free_bits[i] = 0;
  }
  classes_[span.size_class].total_free -= span.free_blocks;
  span.free_blocks = 0;
}

void Spans::enqueue(Slot slot, Span& span, SpanQueueKind kind) {
  ClassState& state = classes_[span.size_class];
  span.queue = kind;
  if (kind == SpanQueueKind::kPoor) {
    state.poor_free += span.free_blocks;
    state.poor.insert(*region_, slot);
  } else {
    state.rich.insert(*region_, slot);
  }
}

void Spans::dequeue(Slot slot, Span& span) {
  ClassState& state = classes_[span.size_class];
  if (span.queue == SpanQueueKind::kRich) state.rich.remove(*region_, slot);
  if (span.queue == SpanQueueKind::kPoor) {
    state.poor.remove(*region_, slot);
    state.poor_free -= span.free_blocks;
  }
  span.queue = SpanQueueKind::kNone;
}

void Spans::add_free(LockToken, Slot slot, uint64_t bits, uint32_t word) {
  const auto count = static_cast<uint32_t>(std::popcount(bits));
  Span& span = region_->span(slot);
  MMT_PARANOID_CHECK((region_->free_bits(slot)[word] & bits) == 0, "block freed twice", slot, word);
  region_->free_bits(slot)[word] |= bits;
  span.free_blocks += count;
  ClassState& state = classes_[span.size_class];
  state.total_free += count;
  if (span.queue == SpanQueueKind::kPoor) state.poor_free += count;
}

void Spans::settle(LockToken lock, Slot slot, Span& span) {
  const ClassInfo& info = kClasses[span.size_class];
  span.idle = SpanIdle::kTouched;
  touched_.store(true, std::memory_order_relaxed);
  if (span.free_blocks == info.blocks) {
    dissolve(lock, slot, span);
  } else if (span.free_blocks >= rich_threshold(info)) {
    if (span.queue == SpanQueueKind::kRich) return;
    dequeue(slot, span);
    enqueue(slot, span, SpanQueueKind::kRich);
  } else if (span.queue == SpanQueueKind::kNone && span.free_blocks >= poor_threshold(info)) {
    enqueue(slot, span, SpanQueueKind::kPoor);
  }
}

void Spans::dissolve(LockToken lock, Slot slot, Span& span) {
  const SizeClass c = span.size_class;
  const ClassInfo& info = kClasses[c];
  dequeue(slot, span);
  classes_[c].total_free -= span.free_blocks;
  span.free_blocks = 0;
  __atomic_fetch_sub(&classes_[c].spans, 1, __ATOMIC_RELAXED);
  tally_->change_used(size_t{info.span_slots} << kSlotShift, 0);
  uint64_t* free_bits = region_->free_bits(slot);
  for (uint32_t i = 0; i < info.words; ++i) free_bits[i] = 0;
  const Change left = changes_->forget(lock, slot, info.span_slots);
  for (uint32_t i = 0; i < info.span_slots; ++i) region_->set_class(slot + i, kNoClass);
  if (MMT_UNLIKELY(left != Change::kNone))
    changes_->put_run(lock, slot, info.span_slots, left);
  else
    runs_->slots(lock).give(slot, info.span_slots, true);
}

// offset_of(i): of the i-th block, in bytes, in the region.
template <class OffsetOf>
MMT_ALWAYS_INLINE void Spans::put_each(LockToken lock, SizeClass c, size_t count,
                                       OffsetOf&& offset_of) {
  const ClassInfo& info = kClasses[c];
  Region& region = *region_;
  const size_t span_mask = (size_t{info.span_slots} << kSlotShift) - 1;
  size_t i = 0;
  while (i < count) {
    // A run of blocks of one span: freed together they were often allocated together.
    const size_t first = offset_of(i);
    const size_t start = first & ~span_mask;
    const Slot slot = static_cast<Slot>(start >> kSlotShift);
    uint64_t* free_bits = region.free_bits(slot);
    size_t offset = first;
    const size_t run_start = i;
    // Neighbours mostly share a word: it is gathered in a register.
    uint32_t word = 0;
    uint64_t bits = free_bits[0];
    do {
      const auto index = static_cast<uint32_t>((offset - start) * info.reciprocal >> 32);
      if (index / 64 != word) {
        free_bits[word] = bits;
        word = index / 64;
        bits = free_bits[word];
      }
      MMT_PARANOID_CHECK((bits >> (index % 64) & 1) == 0, "block freed twice", slot, index);
      bits |= uint64_t{1} << (index % 64);
      if (++i == count) break;
      offset = offset_of(i);
    } while ((offset & ~span_mask) == start);
    free_bits[word] = bits;
    const auto freed = static_cast<uint32_t>(i - run_start);
    Span& span = region.span(slot);
    span.free_blocks += freed;
    classes_[c].total_free += freed;
    if (span.queue == SpanQueueKind::kPoor) classes_[c].poor_free += freed;
    settle(lock, slot, span);
  }
}

void Spans::put_offsets(LockToken lock, SizeClass c, char* window, const uint32_t* offsets,
                        size_t count) {
  const auto base = static_cast<size_t>(window - region_->base());
  put_each(lock, c, count,
           [=](size_t i) { return base + (size_t{offsets[i]} << kOffsetUnitShift); });
}

void Spans::put_blocks(LockToken lock, SizeClass c, void* const* blocks, size_t count) {
  const char* const base = region_->base();
  put_each(lock, c, count, [=](size_t i) {
    return static_cast<size_t>(static_cast<const char*>(blocks[i]) - base);
  });
}

void Spans::put_block(LockToken lock, void* block) {
  put_blocks(lock, region_->true_class_of(region_->slot_of(block)), &block, 1);
}

void Spans::put_words(LockToken lock, Slot slot, const uint64_t* words) {
  Span& span = region_->span(slot);
  const ClassInfo& info = kClasses[span.size_class];
  for (uint32_t i = 0; i < info.words; ++i)
    if (words[i] != 0) add_free(lock, slot, words[i], i);
  settle(lock, slot, span);
}

void Spans::take_idle(LockToken, Slot slot, uint64_t* words) {
  Span& span = region_->span(slot);
  dequeue(slot, span);
  take_free_bits(slot, span, words);
}

void Spans::put_idle(LockToken lock, Slot slot, const uint64_t* words) {
  const bool others = touched();
  put_words(lock, slot, words);
  touched_.store(others, std::memory_order_relaxed);
}

}  // namespace mmt::store
