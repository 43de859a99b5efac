#include "heap/gates/leave.h"

#include "heap/gates/mapped_blocks.h"
#include "heap/object/depot_guard.h"

namespace mmt::heap {
namespace {

size_t bytes_of(const store::Region& region, const Batch& batch) {
  if (batch.form != Batch::Form::kLarge) return batch.small_bytes();
  return region.span(region.slot_of(batch.base)).large_bytes;
}

// Large blocks that rest until they were inspected.
[[maybe_unused]] void inspect_large(Heap& heap, uint32_t self) {
  store::Region& region = heap.depot.region();
  uint32_t link = heap.uninspected.large.take_all();
  while (link != 0) {
    const Slot slot = link - 1;
    link = region.span(slot).next_sibling;
    const Batch batch = Batch::of_large(region.address(slot), region.span(slot).emptied);
    heap.uninspected.lose(bytes_of(heap.depot.region(), batch));
    leave_as(heap, self, batch);
  }
}

[[maybe_unused]] bool inspect_small(Heap& heap, uint32_t self, size_t most_spans) {
  store::Depot& depot = heap.depot;
  bool any = false;
  for (; most_spans > 0; --most_spans) {
    uint64_t words[store::kMaxBitmapWords];
    Slot slot;
    {
      const DepotStep lock(heap, self);
      slot = lock.held() ? depot.returned().take(lock, words) : kNoSlot;
    }
    if (slot == kNoSlot) break;
    const SizeClass c = depot.region().span(slot).size_class;
    const Batch batch = Batch::of_words(c, depot.region().address(slot), words);
    heap.uninspected.lose(bytes_of(heap.depot.region(), batch));
    leave_as(heap, self, batch);
    any = true;
  }
  return any;
}

}  // namespace

bool may_rest(Heap& heap, const Batch& batch) {
  return heap.uninspected.admits(bytes_of(heap.depot.region(), batch),
                                 heap.depot.runs().in_use_bytes());
}

void rest(Heap& heap, const Batch& batch) {
  store::Depot& depot = heap.depot;
  if (Inspections::kAny) heap.uninspected.add(bytes_of(depot.region(), batch));
  if (batch.form != Batch::Form::kLarge)
    return batch.for_each([&](void* block) { depot.returned().add(block); });
  if constexpr (!Inspections::kAny) return depot.large().return_block(batch.base, batch.moved);
  const Slot slot = depot.region().slot_of(batch.base);
  store::Span& span = depot.region().span(slot);
  span.emptied = batch.moved;
  heap.uninspected.large.add(slot + 1, [&](uint32_t link) { span.next_sibling = link; });
}

void leave_as(Heap& heap, uint32_t self, const Batch& batch) {
  if (Inspections::kAny) Inspections::see(heap, batch);
  {
    const DepotStep lock(heap, self);
    if (lock.held()) return put(heap.depot, lock, batch);
  }
  rest(heap, batch);
}

bool has_resting(Heap& heap) {
  if (heap.depot.returned().has_any()) return true;
  return Inspections::kAny && (!heap.uninspected.large.empty() || has_uninspected_mapped(heap));
}

bool merge_resting(Heap& heap, uint32_t self, size_t most_spans) {
  if (MMT_LIKELY(!has_resting(heap))) return false;
  if constexpr (Inspections::kAny) {
    inspect_large(heap, self);
    inspect_mapped(heap, self);
    return inspect_small(heap, self, most_spans) || has_resting(heap);
  }
  const DepotStep lock(heap, self);
  if (lock.held()) heap.depot.returned().collect(lock, most_spans);
  return true;
}

}  // namespace mmt::heap
