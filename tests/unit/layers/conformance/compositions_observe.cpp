// Layers that watch, check or disturb.
#include <mmt/layers/adapt/ansi_heap.h>
#include <mmt/layers/fit/chunk_heap.h>
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/general/kingsley_heap.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/observe/debug_heap.h>
#include <mmt/layers/observe/fail_heap.h>
#include <mmt/layers/observe/observed_heap.h>
#include <mmt/layers/observe/profile_heap.h>
#include <mmt/layers/observe/statistics_heap.h>
#include <mmt/layers/observe/trace_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/mmap_heap.h>

#include "unit/layers/conformance/compositions.h"
#include "unit/layers/conformance/counting_sources.h"
#include "unit/layers/conformance/watching.h"

namespace mmt::layers::conformance {
namespace {

// Checks what it is told against what it knows itself.
struct Counting {
  static constexpr bool kWantsSizes = true;

  void gave(void* block, size_t bytes, size_t, size_t has) {
    ++blocks;
    if (has < bytes) Ledger::complain("observed a block that is too small", block);
  }
  void refused(size_t, size_t) {}
  void takes(void* block, size_t, size_t) {
    if (blocks-- == 0) Ledger::complain("observed a free too many", block);
  }
  void grew(void* block, size_t bytes, size_t had, size_t has) {
    if (has < had || has < bytes) Ledger::complain("observed wrong growth", block);
  }
  void cleared() { blocks = 0; }

  size_t blocks = 0;
};
struct Observed {
  template <class Super>
  using Over = ObservedHeap<Counting, Super>;
};

}  // namespace

void add_observe(Compositions& all) {
  // Side tables may have grown before a request is refused; a block that could not be recorded goes
  // back to the heap below.
  const Terms grown = {.has_side_tables = true};
  const Terms own = {.releases_live = true, .has_side_tables = true};
  all.push_back(compose<Pipe<PlainSource, Watching<>>>("Debug", grown));
  all.push_back(compose<Pipe<FullSource, Watching<>>>("DebugFull", grown));
  all.push_back(compose<Pipe<PlainSource, Size, Watching<0>>>("DebugSize", grown));
  all.push_back(compose<Pipe<KingsleyHeap<PlainSource>, Watching<>, Ansi>>("DebugKingsley", own));
  all.push_back(compose<Pipe<PlainSource, Watching<>, Size>>("DebugBelow", grown));

  all.push_back(compose<Pipe<FullSource, Observed>>("Observed"));
  all.push_back(compose<Pipe<PlainSource, Size, Observed, Freelist>>("ObservedFreelist"));
  all.push_back(compose<Pipe<PlainSource, Statistics>>("Statistics"));
  all.push_back(compose<Pipe<FullSource, Statistics>>("StatisticsFull"));
  all.push_back(
      compose<Pipe<PlainSource, Statistics, Kingsley, Statistics>>("StatisticsKingsley", own));
  all.push_back(compose<Pipe<FullSource, Profile>>("Profile", grown));
  all.push_back(compose<Pipe<PlainSource, Statistics, Kingsley, Profile>>("ProfileKingsley", own));
  all.push_back(compose<Pipe<FullSource, Traced<true>>>("Trace", grown));
  all.push_back(compose<Pipe<KingsleyHeap<PlainSource>, Traced<false>>>("TraceKingsley", own));

  const Terms refuses = {.fails_at_times = true};
  all.push_back(compose<Pipe<FullSource, Fail<FailEvery<7>>>>("FailEvery", refuses));
  all.push_back(
      compose<Pipe<FullSource, Fail<FailAfter<20000>>, Size, Freelist>>("FailAfter", refuses));
  all.push_back(compose<Pipe<PlainSource, Fail<FailAtRandom<1, 5>>, Kingsley, Ansi>>(
      "FailAtRandom", {.fails_at_times = true, .releases_live = true}));
  all.push_back(compose<Pipe<PlainSource, Fail<FailWhenTold>>>("FailWhenTold", refuses));
}

}  // namespace mmt::layers::conformance
