#include "unit/layers/conformance/trial.h"

#include <algorithm>

#include "unit/layers/conformance/system_memory.h"

namespace mmt::layers::conformance {

Trial::Trial(const Composition& composition, Findings& findings, size_t one_size)
    : composition_(composition),
      findings_(findings),
      one_size_(one_size),
      mapped_before_(mapped_bytes()),
      break_before_(break_bytes()),
      heap_(composition.make()),
      blocks_(findings),
      may_refuse_(composition.terms.is_full_early || composition.terms.fails_at_times) {}

size_t Trial::fit(size_t bytes) const {
  if (composition_.traits.is_one_size) return one_size_;
  return std::min(bytes, composition_.terms.largest);
}

Trial::Memory Trial::memory_now() { return {Ledger::totals().live_blocks, mapped_bytes()}; }

void Trial::note_refusal(const Memory& before, size_t bytes) {
  ++refusals_;
  findings_.expect(may_refuse_, "a request for %zu bytes was refused", bytes);
  const Memory after = memory_now();
  if (composition_.terms.has_side_tables) return;
  findings_.expect(after.blocks <= before.blocks,
                   "a refusal left %zu blocks of the source, not %zu", after.blocks, before.blocks);
  findings_.expect(after.mapped <= before.mapped, "a refusal left %zu bytes mapped, not %zu",
                   after.mapped, before.mapped);
}

size_t Trial::usable_of(void* block, size_t bytes) {
  if (!composition_.offers(kGetSize)) return bytes;
  const size_t usable = heap_->get_size(block);
  const bool is_enough =
      findings_.expect(usable >= bytes, "get_size says %zu of a block for %zu", usable, bytes);
  return is_enough ? usable : bytes;
}

void Trial::look_at(void* block, size_t bytes, bool is_plain) {
  const size_t usable = usable_of(block, bytes);
  if (composition_.offers(kOwns)) {
    const char* const last = static_cast<char*>(block) + (bytes == 0 ? 0 : bytes - 1);
    findings_.expect(heap_->owns(block), "owns() does not know the block of %zu", bytes);
    findings_.expect(heap_->owns(last), "owns() does not know the last byte of %zu", bytes);
  }
  blocks_.add(block, bytes, usable, is_plain);
}

bool Trial::take(size_t bytes) {
  const Memory before = memory_now();
  void* const block = heap_->malloc(bytes);
  if (block == nullptr) {
    note_refusal(before, bytes);
    return false;
  }
  const Traits& traits = composition_.traits;
  const auto address = reinterpret_cast<uintptr_t>(block);
  findings_.expect((address - traits.skew) % traits.alignment == 0,
                   "block %p for %zu is not at %zu modulo %zu", block, bytes, traits.skew,
                   traits.alignment);
  look_at(block, bytes, true);
  return true;
}

bool Trial::take_aligned(size_t bytes, size_t alignment) {
  const Memory before = memory_now();
  const Block block = heap_->allocate(bytes, alignment);
  if (block.data == nullptr) {
    findings_.expect(block.size == 0, "no block, but of %zu bytes", block.size);
    note_refusal(before, bytes);
    return false;
  }
  findings_.expect(block.size >= bytes, "allocate(%zu, %zu) gave %zu bytes", bytes, alignment,
                   block.size);
  findings_.expect(reinterpret_cast<uintptr_t>(block.data) % alignment == 0,
                   "allocate(%zu, %zu) gave %p", bytes, alignment, block.data);
  look_at(block.data, bytes, false);
  if (composition_.offers(kGetSize)) {
    const size_t size = heap_->get_size(block.data);
    findings_.expect(size == block.size, "allocate(%zu, %zu) said %zu bytes, get_size %zu", bytes,
                     alignment, block.size, size);
  }
  return true;
}

void Trial::give(size_t index) {
  if (composition_.terms.is_stack) {
    while (blocks_.count() > index + 1) blocks_.remove(blocks_.count() - 1);
  }
  const ShadowBlocks::Entry entry = blocks_.remove(index);
  is_sized_turn_ = !is_sized_turn_;
  if (is_sized_turn_ && composition_.offers(kFreeSized) && entry.is_plain) {
    heap_->free_sized(entry.data, entry.asked);
  } else {
    heap_->free(entry.data);
  }
}

void Trial::give_all(Order order, uint64_t seed) {
  Random random(seed);
  if (composition_.terms.is_stack) order = Order::kYoungestFirst;
  while (blocks_.count() != 0 && !findings_.is_full()) {
    const size_t last = blocks_.count() - 1;
    size_t index = 0;
    if (order == Order::kYoungestFirst) index = last;
    if (order == Order::kRandom) index = random.below(last + 1);
    give(index);
  }
}

void Trial::grow(size_t index, size_t bytes) {
  const ShadowBlocks::Entry entry = blocks_[index];
  const bool is_grown = heap_->expand(entry.data, bytes);
  size_t usable = is_grown ? std::max(bytes, entry.usable) : entry.usable;
  if (composition_.offers(kGetSize)) {
    const size_t size = heap_->get_size(entry.data);
    findings_.expect(size >= usable, "expand(%zu -> %zu) made it %zu", entry.usable, bytes, size);
    if (!is_grown) {
      findings_.expect(size == entry.usable, "expand failed, but changed %zu to %zu", entry.usable,
                       size);
    }
    usable = std::max(size, usable);
  }
  if (is_grown) blocks_.change(index, entry.data, bytes, usable, usable);
}

void Trial::resize(size_t index, size_t bytes) {
  const ShadowBlocks::Entry entry = blocks_[index];
  const Memory before = memory_now();
  void* const block = heap_->realloc(entry.data, bytes);
  if (block == nullptr) {
    // The old block is as it was: its contents are checked later.
    note_refusal(before, bytes);
    return;
  }
  const size_t usable = usable_of(block, bytes);
  blocks_.change(index, block, bytes, usable, bytes);
}

void Trial::clear() {
  blocks_.check_contents();
  blocks_.forget();
  heap_->clear();
}

void Trial::end() {
  const bool is_all_due = blocks_.count() == 0 || composition_.terms.releases_live;
  blocks_.check_contents();
  blocks_.forget();
  heap_.reset();
  if (!is_all_due || composition_.terms.is_shared || !findings_.is_empty()) return;
  const LedgerTotals left = Ledger::totals();
  findings_.expect(left.live_blocks == 0, "the end left %zu blocks (%zu bytes) of the source",
                   left.live_blocks, left.live_bytes);
  findings_.expect(mapped_bytes() == mapped_before_, "the end left %zu bytes mapped, not %zu",
                   mapped_bytes(), mapped_before_);
  findings_.expect(break_bytes() == break_before_, "the end left the break at %zu, not %zu",
                   break_bytes(), break_before_);
}

void Trial::step(Random& random, size_t most_blocks, size_t largest) {
  static constexpr size_t kSpans[] = {40, 40, 40, 200, 200, 200, 1000, 5000};
  size_t span = kSpans[random.below(8)];
  const size_t rare = random.below(512);
  if (rare < 8) span = 40000;
  if (rare == 0) span = 300000;
  const size_t bytes = fit(std::min(random.below(span + 1), largest));
  const size_t action = random.below(100);
  const bool is_full = blocks_.count() >= most_blocks;
  if (blocks_.count() == 0 || (action < 42 && !is_full)) {
    take(bytes);
  } else if (action < 50 && !is_full && composition_.offers(kAllocate)) {
    take_aligned(bytes, size_t{1} << random.below(14));
  } else if (action < 58 && composition_.offers(kExpand)) {
    grow(random.below(blocks_.count()), bytes);
  } else if (action < 66 && composition_.offers(kRealloc)) {
    // To none is to free.
    resize(random.below(blocks_.count()), std::max(bytes, size_t{1}));
  } else {
    give(composition_.terms.is_stack ? blocks_.count() - 1 : random.below(blocks_.count()));
  }
}

}  // namespace mmt::layers::conformance
