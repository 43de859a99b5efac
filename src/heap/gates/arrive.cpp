#include "heap/gates/arrive.h"

#include "heap/gates/inspection.h"
#include "heap/object/depot_guard.h"
#include "heap/object/heap.h"

namespace mmt::heap {
namespace {

using store::SpanSupply;
using BlockSource = store::SingleBlocks::Source;

constexpr size_t kOwnReturnedSpans = 8;

// Apart, as the carving before takes much of the stack by itself.
MMT_COLD SpanSupply take_poor_span(Heap& heap, SizeClass c, uint64_t* words) {
  const DepotGuard lock(heap);
  return lock.held() ? heap.depot.spans().take_poor_span(lock, c, words) : SpanSupply{};
}

}  // namespace

void merge_some_resting(Heap& heap, LockToken lock) {
  if (Inspections::kAny) return;  // they were not seen
  if (heap.depot.returned().has_any()) heap.depot.returned().collect(lock, kOwnReturnedSpans);
}

SpanSupply take_span(Heap& heap, LockToken lock, SizeClass c, uint64_t* words) {
  return heap.depot.spans().take_span(lock, c, words);
}

void* take_block(Heap& heap, LockToken lock, SizeClass c) {
  return heap.depot.singles().take(lock, c);
}

void* take_poor_block(Heap& heap, LockToken lock, SizeClass c) {
  return heap.depot.singles().take(lock, c, BlockSource::kPoorSpans);
}

SpanSupply take_fresh_span(Heap& heap, SizeClass c, uint64_t* words) {
  const SpanSupply fresh = heap.depot.spans().carve_span(c, words);
  return fresh.slot != kNoSlot ? fresh : take_poor_span(heap, c, words);
}

void* take_fresh_block(Heap& heap, SizeClass c) {
  if (void* const block = heap.depot.returned().carve_block(c)) return block;
  const DepotGuard lock(heap);
  return lock.held() ? take_poor_block(heap, lock, c) : nullptr;
}

void* take_large(Heap& heap, LockToken lock, size_t bytes, size_t alignment,
                 store::CleanParts* clean) {
  return heap.depot.large().take(lock, bytes, alignment, clean);
}

void* take_fresh_large(Heap& heap, size_t bytes, size_t alignment) {
  return heap.depot.large().carve(bytes, alignment);
}

void* take_growing(Heap& heap, LockToken lock, size_t bytes, size_t extent) {
  return heap.depot.growth().take(lock, bytes, extent);
}

}  // namespace mmt::heap
