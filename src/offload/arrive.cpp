#include "offload/arrive.h"

namespace mmt::offload {
namespace {

using native::SpanSupply;
using BlockSource = native::Depot::BlockSource;

// Apart, as the carving before takes much of the stack by itself.
MMT_COLD SpanSupply take_poor_span(native::Depot& depot, SizeClass c, uint64_t* words) {
  const DepotGuard lock;
  return lock.held() ? depot.take_poor_span(lock, c, words) : SpanSupply{};
}

}  // namespace

SpanSupply take_span(native::Depot& depot, LockToken lock, SizeClass c, uint64_t* words) {
  return depot.take_span(lock, c, words);
}

void* take_block(native::Depot& depot, LockToken lock, SizeClass c) {
  return depot.take_block(lock, c);
}

void* take_poor_block(native::Depot& depot, LockToken lock, SizeClass c) {
  return depot.take_block(lock, c, BlockSource::kPoorSpans);
}

SpanSupply take_fresh_span(native::Depot& depot, SizeClass c, uint64_t* words) {
  const SpanSupply fresh = depot.carve_span(c, words);
  return fresh.slot != kNoSlot ? fresh : take_poor_span(depot, c, words);
}

void* take_fresh_block(native::Depot& depot, SizeClass c) {
  if (void* const block = depot.carve_block(c)) return block;
  const DepotGuard lock;
  return lock.held() ? take_poor_block(depot, lock, c) : nullptr;
}

void* take_large(native::Depot& depot, LockToken lock, size_t bytes, size_t alignment,
                 native::CleanParts* clean) {
  return depot.take_large(lock, bytes, alignment, clean);
}

void* take_fresh_large(native::Depot& depot, size_t bytes, size_t alignment) {
  return depot.carve_large(bytes, alignment);
}

void* take_growing(native::Depot& depot, LockToken lock, size_t bytes, size_t extent) {
  return depot.take_growing(lock, bytes, extent);
}

}  // namespace mmt::offload
