#pragma once
// Small blocks one at a time, for threads without a client and for thrifty ones. They come from a
// span of each class that is kept for that.
//
// All calls want the depot lock, and map nothing. Without memory a block is null.
#include <cstddef>
#include <cstdint>

#include "heap/store/lock_token.h"
#include "heap/store/region.h"
#include "heap/store/size_class.h"
#include "heap/store/spans.h"

namespace mmt::store {

class SingleBlocks {
 public:
  enum class Source : uint8_t { kAny, kPoorSpans };  // see Spans::take_poor_span

  // Call it once, before anything else.
  void open(Region* region, Spans* spans);

  void* take(LockToken lock, SizeClass c, Source from = Source::kAny);
  // The spans become as others.
  void put_spans(LockToken lock);
  // Blocks of class `c` that are still to be taken.
  size_t free_blocks(LockToken lock, SizeClass c) const;

 private:
  struct ClassSpan {
    Slot link = 0;  // its slot + 1, 0 for none
    uint64_t words[kMaxBitmapWords] = {};
  };

  Region* region_ = nullptr;
  Spans* spans_ = nullptr;
  ClassSpan classes_[kClassCount];
};

}  // namespace mmt::store
