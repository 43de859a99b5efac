// General-purpose allocators.
#include <mmt/layers/general/kingsley_coalescing_heap.h>
#include <mmt/layers/general/kingsley_heap.h>
#include <mmt/layers/general/lea_heap.h>
#include <mmt/layers/general/phk_heap.h>
#include <mmt/layers/source/mmap_heap.h>
#include <mmt/layers/source/reserved_heap.h>

#include "unit/layers/conformance/compositions.h"
#include "unit/layers/conformance/counting_sources.h"

namespace mmt::layers::conformance {
namespace {

// Options that change where blocks lie and what is written into them.
struct AllMoves {
  static constexpr PhkOptions read() { return letters("JZR"); }
  static constexpr PhkOptions letters(const char* text) {
    PhkOptions options;
    options.apply(text);
    return options.settled();
  }
};
struct AllChecks {
  static constexpr PhkOptions read() { return AllMoves::letters("S"); }
};

}  // namespace

void add_general(Compositions& all) {
  const Terms own = {.releases_live = true};
  all.push_back(compose<KingsleyHeap<PlainSource>>("Kingsley", own));
  all.push_back(compose<KingsleyHeap<MmapHeap>>("KingsleyMmap", own));
  all.push_back(compose<KingsleyHeap<>>("KingsleySbrk", own));
  all.push_back(compose<KingsleyCoalescingHeap<PlainSource>>("KingsleyCoalescing", own));
  all.push_back(compose<KingsleyCoalescingHeap<>>("KingsleyCoalescingSbrk", own));
  all.push_back(compose<Pipe<PlainSource, Lea<70000, SizedSource>>>("Lea", own));
  all.push_back(compose<LeaHeap<>>("LeaSbrk", own));
  all.push_back(compose<Pipe<MmapHeap, Lea<30000, MmapHeap, 100000>>>("LeaRising", own));

  all.push_back(compose<PhkHeap<>>("PhkSbrk", own));
  all.push_back(compose<PhkHeap<ReservedHeap<(1 << 26)>>>("Phk", own));
  all.push_back(compose<PhkHeap<SbrkHeap, AllMoves>>("PhkMoves", own));
  all.push_back(compose<PhkHeap<ReservedHeap<(1 << 28)>, AllChecks>>("PhkChecks", own));

  // The layers that PHK consists of, one more each time.
  using Control = Pipe<SbrkHeap, PhkControl<PhkNoOptions>>;
  using Region = Pipe<Control, PageRegion>;
  using Large = Pipe<Region, PageRuns, Pages>;
  using Small = Pipe<Large, PhkChunks>;
  all.push_back(compose<Pipe<FullSource, PhkControl<AllChecks>>>("PhkControl"));
  all.push_back(compose<Large>("PhkPages", own));
  all.push_back(compose<Small>("PhkChunks", own));
  all.push_back(compose<Pipe<Small, PhkDelay>>("PhkDelay", own));
  all.push_back(compose<Pipe<Small, PhkJunk>>("PhkJunk", own));
  all.push_back(compose<Pipe<Small, PhkCanary>>("PhkCanary", own));
  all.push_back(compose<Pipe<Small, PhkCalls>>("PhkCalls", own));
}

}  // namespace mmt::layers::conformance
