// Spans of small blocks, for a test of theirs or of what rests on them, on real pages.
#pragma once

#include <vector>

#include "heap/store/noted_changes.h"
#include "heap/store/spans.h"
#include "support/free_runs_fixture.h"

namespace mmt::test {

class SpansFixture : public FreeRunsFixture {
 protected:
  SpansFixture() {
    changes.open(&region);
    spans.open(&region, &runs, &changes, &tally);
  }

  // The free blocks of the best span, by ascending address.
  std::vector<char*> take_blocks(native::SizeClass c) {
    uint64_t words[native::kMaxBitmapWords] = {};
    const native::SpanSupply span = spans.take_span(lock, c, words);
    EXPECT_NE(span.slot, native::kNoSlot);
    std::vector<char*> blocks;
    for (uint32_t i = 0; i < native::kClasses[c].blocks; ++i)
      if ((words[i / 64] >> (i % 64) & 1) != 0)
        blocks.push_back(region.address(span.slot) + size_t{i} * native::kClasses[c].size);
    return blocks;
  }
  void put(void* block) { spans.put_block(lock, block); }
  // Every slot below the frontier is free or in a span.
  void check_invariants() {
    size_t slots = 0;
    for (native::SizeClass c = 1; c < native::kClassCount; ++c)
      slots += spans.class_spans(c) * native::kClasses[c].span_slots;
    check_slots(slots, 0);
  }

  native::NotedChanges changes;
  native::Spans spans;
};

}  // namespace mmt::test
