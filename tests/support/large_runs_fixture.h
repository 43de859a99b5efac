// Large blocks that are runs of slots, for a test of theirs or of what rests on them, on real
// pages.
#pragma once

#include "heap/store/clean_parts.h"
#include "heap/store/large_runs.h"
#include "support/free_runs_fixture.h"

namespace mmt::test {

class LargeRunsFixture : public FreeRunsFixture {
 protected:
  LargeRunsFixture() { large.open(&region, &runs, &tally); }

  // `clean` says afterwards which parts hold no memory.
  char* take(size_t bytes, size_t alignment = 1) {
    return static_cast<char*>(large.take(lock, bytes, alignment, &clean));
  }
  size_t clean_bytes() const {
    size_t sum = 0;
    for (const store::CleanParts::Part& part : clean) sum += part.bytes;
    return sum;
  }
  // Every slot below the frontier is free, or one of so many in large blocks.
  void check_invariants(size_t large_slots) {
    large.collect(lock, ~size_t{0});
    check_slots(0, large_slots);
  }

  store::LargeRuns large;
  store::CleanParts clean;
};

}  // namespace mmt::test
