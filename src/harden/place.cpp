#include "harden/place.h"

#include "harden/guards.h"
#include "harden/served_heap.h"
#include "heap/gates/mapped_blocks.h"

namespace mmt::harden {

Place place_of(const void* address) {
  heap::Heap& heap = served_heap();
  const store::Region& region = heap.depot.region();
  auto* const at = static_cast<char*>(const_cast<void*>(address));
  if (!region.contains(address)) {
    const size_t bytes = heap::mapped_size(heap, address);
    if (bytes == 0) return {};
    return {Place::Kind::kMapped, {at, bytes - kGuardBytes, nullptr, true}, true};
  }
  const store::Slot slot = region.slot_of(address);
  const uint8_t code = region.true_class_of(slot);
  if (code == store::kLargeHead) {
    char* const block = region.address(slot);
    const size_t bytes = heap.depot.large().usable(block);
    return {Place::Kind::kLarge, {block, bytes - kGuardBytes, states_of(block), true}, at == block};
  }
  if (code == store::kNoClass || code >= store::kClassCount) return {};
  const store::ClassInfo& info = store::kClasses[code];
  char* const start = region.address(store::span_start(slot, code));
  const size_t index = static_cast<size_t>(at - start) / info.size;
  if (index >= info.blocks) return {};
  char* const block = start + index * info.size;
  return {Place::Kind::kSmall, {block, info.size, states_of(block)}, at == block};
}

}  // namespace mmt::harden
