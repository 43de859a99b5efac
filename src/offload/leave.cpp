#include "offload/leave.h"

#include "offload/mapped_blocks.h"

namespace mmt::offload {
namespace {

// Large blocks that rest until they were inspected.
[[maybe_unused]] void inspect_large(uint32_t self) {
  native::Region& region = runtime.depot.region();
  uint32_t link = runtime.uninspected_large.take_all();
  while (link != 0) {
    const Slot slot = link - 1;
    link = region.span(slot).next_sibling;
    leave_as(self, Batch::of_large(region.address(slot), region.span(slot).emptied));
  }
}

[[maybe_unused]] bool inspect_small(uint32_t self, size_t most_spans) {
  native::Depot& depot = runtime.depot;
  bool any = false;
  for (; most_spans > 0; --most_spans) {
    uint64_t words[native::kMaxBitmapWords];
    Slot slot;
    {
      const DepotStep lock(self);
      slot = lock.held() ? depot.take_returned(lock, words) : kNoSlot;
    }
    if (slot == kNoSlot) break;
    const SizeClass c = depot.region().span(slot).size_class;
    leave_as(self, Batch::of_words(c, depot.region().address(slot), words));
    any = true;
  }
  return any;
}

}  // namespace

void rest(const Batch& batch) {
  native::Depot& depot = runtime.depot;
  if (batch.form != Batch::Form::kLarge)
    return batch.for_each([&](void* block) { depot.return_block(block); });
  if constexpr (!Inspections::kAny) return depot.return_large(batch.base, batch.moved);
  const Slot slot = depot.region().slot_of(batch.base);
  native::Span& span = depot.region().span(slot);
  span.emptied = batch.moved;
  runtime.uninspected_large.add(slot + 1, [&](uint32_t link) { span.next_sibling = link; });
}

void leave_as(uint32_t self, const Batch& batch) {
  if (Inspections::kAny) Inspections::see(batch);
  {
    const DepotStep lock(self);
    if (lock.held()) return put(lock, batch);
  }
  rest(batch);
}

bool has_resting() {
  return runtime.depot.has_returned() || !runtime.uninspected_large.empty() ||
         (Inspections::kAny && has_uninspected_mapped());
}

bool merge_resting(uint32_t self, size_t most_spans) {
  if (MMT_LIKELY(!has_resting())) return false;
  if constexpr (Inspections::kAny) {
    inspect_large(self);
    inspect_mapped(self);
    return inspect_small(self, most_spans) || has_resting();
  }
  const DepotStep lock(self);
  if (lock.held()) runtime.depot.collect_returned(lock, most_spans);
  return true;
}

}  // namespace mmt::offload
