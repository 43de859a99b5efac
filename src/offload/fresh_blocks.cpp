#include "offload/fresh_blocks.h"

#include <bit>

#include "offload/depot_guard.h"
#include "offload/runtime.h"

namespace mmt::offload {
namespace {

// The lowest of them, which must have one.
void* take_lowest(SizeClass c, Slot slot, uint64_t* words) {
  uint32_t w = 0;
  while (words[w] == 0) ++w;
  const size_t index = w * 64 + static_cast<size_t>(std::countr_zero(words[w]));
  words[w] &= words[w] - 1;
  return runtime.depot.region().address(slot) + index * kClasses[c].size;
}

}  // namespace

native::SpanSupply take_fresh_span(SizeClass c, uint64_t* words) {
  const native::SpanSupply fresh = runtime.depot.carve_span(c, words);
  if (fresh.slot != kNoSlot) return fresh;
  const DepotGuard guard;
  return guard.held() ? runtime.depot.take_poor_span_locked(c, words) : fresh;
}

void* take_fresh_block(SizeClass c) {
  uint64_t words[native::kMaxBitmapWords] = {};
  const native::SpanSupply span = take_fresh_span(c, words);
  if (span.slot == kNoSlot) return nullptr;
  void* const block = take_lowest(c, span.slot, words);
  if (const DepotGuard guard; guard.held())
    runtime.depot.put_words_locked(span.slot, words);
  else
    runtime.depot.return_words(span.slot, words);
  return block;
}

}  // namespace mmt::offload
