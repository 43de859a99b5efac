#include "offload/fresh_blocks.h"

#include "offload/depot_guard.h"

namespace mmt::offload {

namespace {

// Apart, as the carving before takes much of the stack by itself.
MMT_COLD native::SpanSupply take_poor_span(native::Depot& depot, SizeClass c, uint64_t* words) {
  const DepotGuard lock;
  return lock.held() ? depot.take_poor_span(lock, c, words) : native::SpanSupply{};
}

}  // namespace

native::SpanSupply take_fresh_span(native::Depot& depot, SizeClass c, uint64_t* words) {
  const native::SpanSupply fresh = depot.carve_span(c, words);
  return fresh.slot != kNoSlot ? fresh : take_poor_span(depot, c, words);
}

void* take_fresh_block(native::Depot& depot, SizeClass c) {
  if (void* const block = depot.carve_block(c)) return block;
  const DepotGuard lock;
  return lock.held() ? depot.take_block(lock, c, native::Depot::BlockSource::kPoorSpans) : nullptr;
}

}  // namespace mmt::offload
