#include "offload/arrive.h"

#include "offload/runtime.h"

namespace mmt::offload {
namespace {

using native::SpanSupply;
using BlockSource = native::Depot::BlockSource;

// Apart, as the carving before takes much of the stack by itself.
MMT_COLD SpanSupply take_poor_span(SizeClass c, uint64_t* words) {
  const DepotGuard lock;
  return lock.held() ? runtime.depot.take_poor_span(lock, c, words) : SpanSupply{};
}

}  // namespace

SpanSupply take_span(LockToken lock, SizeClass c, uint64_t* words) {
  return runtime.depot.take_span(lock, c, words);
}

void* take_block(LockToken lock, SizeClass c) { return runtime.depot.take_block(lock, c); }

void* take_poor_block(LockToken lock, SizeClass c) {
  return runtime.depot.take_block(lock, c, BlockSource::kPoorSpans);
}

SpanSupply take_fresh_span(SizeClass c, uint64_t* words) {
  const SpanSupply fresh = runtime.depot.carve_span(c, words);
  return fresh.slot != kNoSlot ? fresh : take_poor_span(c, words);
}

void* take_fresh_block(SizeClass c) {
  if (void* const block = runtime.depot.carve_block(c)) return block;
  const DepotGuard lock;
  return lock.held() ? take_poor_block(lock, c) : nullptr;
}

void* take_large(LockToken lock, size_t bytes, size_t alignment, native::CleanParts* clean) {
  return runtime.depot.take_large(lock, bytes, alignment, clean);
}

void* take_fresh_large(size_t bytes, size_t alignment) {
  return runtime.depot.carve_large(bytes, alignment);
}

void* take_growing(LockToken lock, size_t bytes, size_t extent) {
  return runtime.depot.take_growing(lock, bytes, extent);
}

}  // namespace mmt::offload
