#include "heap/store/single_blocks.h"

#include <bit>

namespace mmt::store {

void SingleBlocks::open(Region* region, Spans* spans) {
  region_ = region;
  spans_ = spans;
}

void* SingleBlocks::take(LockToken lock, SizeClass c, Source from) {
  ClassSpan& own = classes_[c];
  const ClassInfo& info = kClasses[c];
  for (;;) {
    if (own.link != 0) {
      for (uint32_t i = 0; i < info.words; ++i) {
        if (own.words[i] == 0) continue;
        const auto bit = static_cast<uint32_t>(std::countr_zero(own.words[i]));
        own.words[i] &= own.words[i] - 1;
        return region_->address(own.link - 1) + size_t{i * 64 + bit} * info.size;
      }
    }
    const SpanSupply span = from == Source::kAny ? spans_->take_span(lock, c, own.words)
                                                 : spans_->take_poor_span(lock, c, own.words);
    own.link = span.slot + 1;
    if (own.link == 0) return nullptr;
  }
}

void SingleBlocks::put_spans(LockToken lock) {
  for (SizeClass c = 1; c < kClassCount; ++c) {
    ClassSpan& own = classes_[c];
    if (own.link == 0) continue;
    uint64_t left = 0;
    for (uint32_t i = 0; i < kClasses[c].words; ++i) left |= own.words[i];
    // A span of which nothing is left may have been dissolved, and be another class's by now.
    if (left != 0) spans_->put_words(lock, own.link - 1, own.words);
    for (uint64_t& word : own.words) word = 0;
    own.link = 0;
  }
}

size_t SingleBlocks::free_blocks(LockToken, SizeClass c) const {
  const ClassSpan& own = classes_[c];
  if (own.link == 0) return 0;
  size_t count = 0;
  for (uint32_t i = 0; i < kClasses[c].words; ++i)
    count += static_cast<size_t>(std::popcount(own.words[i]));
  return count;
}

}  // namespace mmt::store
