#include "heap/store/returned_blocks.h"

#include <bit>

namespace mmt::store {

void ReturnedBlocks::open(Region* region, Spans* spans) {
  region_ = region;
  spans_ = spans;
}

void* ReturnedBlocks::carve_block(SizeClass c) {
  const Slot slot = spans_->carve_whole(c);
  if (slot == kNoSlot) return nullptr;
  Span& span = region_->span(slot);
  if (kClasses[c].blocks > 1)
    carved_.add(slot + 1, [&](uint32_t link) { span.large_slots = link; });
  return region_->address(slot);
}

void ReturnedBlocks::add(void* block) {
  const Slot any = region_->slot_of(block);
  const SizeClass c = region_->true_class_of(any);
  const Slot slot = span_start(any, c);
  const auto offset = static_cast<size_t>(static_cast<char*>(block) - region_->address(slot));
  const auto index = static_cast<uint32_t>(offset * kClasses[c].reciprocal >> 32);
  returned_.leave(region_->returned_bits(slot)[index / 64], index % 64,
                  region_->returned_marks(slot), slot % 64);
}

// An earlier mark may have brought the blocks of this slot already. Then there are none, and the
// slot may be another span's, or nobody's, by now.
void ReturnedBlocks::merge(LockToken lock, Slot slot) {
  sync::ReturnedBits<>::Word* const returned = region_->returned_bits(slot);
  const uint32_t count = kClasses[region_->span(slot).size_class].words;
  bool any = false;
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t bits = returned_.take(returned[i]);
    if (bits == 0) continue;
    spans_->add_free(lock, slot, bits, i);
    any = true;
  }
  if (any) spans_->settle(lock, slot);
}

// All but the first block of spans that were carved for one. How many spans more may be merged.
size_t ReturnedBlocks::collect_carved(LockToken lock, size_t most_spans) {
  uint32_t link = collected_;
  for (; most_spans > 0; --most_spans) {
    if (link == 0) link = carved_.take_all();
    if (link == 0) break;
    const Slot slot = link - 1;
    Span& span = region_->span(slot);
    link = span.large_slots;
    const ClassInfo& info = kClasses[span.size_class];
    for (uint32_t i = 0; i < info.words; ++i) {
      const uint64_t others = i == 0 ? full_word(info, i) & ~uint64_t{1} : full_word(info, i);
      if (others != 0) spans_->add_free(lock, slot, others, i);
    }
    if (span.free_blocks != 0) spans_->settle(lock, slot);
  }
  __atomic_store_n(&collected_, link, __ATOMIC_RELAXED);  // has_any() guesses
  return most_spans;
}

Slot ReturnedBlocks::take(LockToken lock, uint64_t* words) {
  collect_carved(lock, ~size_t{0});
  if (!returned_.begin()) return kNoSlot;
  const Slot end = region_->frontier();
  for (Slot first = 0; first < end; first += 64) {
    uint64_t slots = returned_.take_marks(region_->returned_marks(first));
    while (slots != 0) {
      const Slot slot = first + static_cast<Slot>(std::countr_zero(slots));
      slots &= slots - 1;
      uint64_t any = 0;
      for (uint32_t i = 0; i < kClasses[region_->span(slot).size_class].words; ++i)
        any |= words[i] = returned_.take(region_->returned_bits(slot)[i]);
      if (any == 0) continue;
      returned_.put_back(region_->returned_marks(first), slots);
      return slot;
    }
  }
  return kNoSlot;
}

bool ReturnedBlocks::collect(LockToken lock, size_t most_spans) {
  most_spans = collect_carved(lock, most_spans);
  if (most_spans == 0) return !has_any();
  if (!returned_.begin()) return true;
  const Slot end = region_->frontier();
  for (Slot first = 0; first < end; first += 64) {
    uint64_t slots = returned_.take_marks(region_->returned_marks(first));
    for (; slots != 0; slots &= slots - 1, most_spans -= most_spans != 0)
      merge(lock, first + static_cast<Slot>(std::countr_zero(slots)));
    if (most_spans == 0) {
      returned_.put_off();
      return false;
    }
  }
  return true;
}

}  // namespace mmt::store
