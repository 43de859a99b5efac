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
  std::vector<char*> take_blocks(store::SizeClass c) {
    uint64_t words[store::kMaxBitmapWords] = {};
    const store::SpanSupply span = spans.take_span(lock, c, words);
    EXPECT_NE(span.slot, store::kNoSlot);
    std::vector<char*> blocks;
    for (uint32_t i = 0; i < store::kClasses[c].blocks; ++i)
      if ((words[i / 64] >> (i % 64) & 1) != 0)
        blocks.push_back(region.address(span.slot) + size_t{i} * store::kClasses[c].size);
    return blocks;
  }
  void put(void* block) { spans.put_block(lock, block); }
  // Every slot below the frontier is free or in a span.
  void check_invariants() {
    size_t slots = 0;
    for (store::SizeClass c = 1; c < store::kClassCount; ++c)
      slots += spans.class_spans(c) * store::kClasses[c].span_slots;
    check_slots(slots, 0);
  }

  store::NotedChanges changes;
  store::Spans spans;
};

}  // namespace mmt::test
