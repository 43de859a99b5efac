// Heaps for several threads, which all of them use in one of the checks.
#include <mmt/layers/adapt/ansi_heap.h>
#include <mmt/layers/combine/size_classes.h>
#include <mmt/layers/combine/strict_seg_heap.h>
#include <mmt/layers/fit/bounded_freelist_heap.h>
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/general/hoard_heap.h>
#include <mmt/layers/general/kingsley_heap.h>
#include <mmt/layers/general/lea_heap.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/mmap_heap.h>
#include <mmt/layers/thread/locked_heap.h>
#include <mmt/layers/thread/pho_thread_heap.h>
#include <mmt/layers/thread/thread_heap.h>

#include "unit/layers/conformance/compositions.h"
#include "unit/layers/conformance/counting_sources.h"

namespace mmt::layers::conformance {

void add_thread(Compositions& all) {
  const Terms shared = {.is_for_threads = true};
  const Terms own = {.releases_live = true, .is_for_threads = true};
  all.push_back(compose<Pipe<FullSource, Locked<>>>("Locked", shared));
  all.push_back(compose<Pipe<PlainSource, Locked<>, Size, Ansi>>("LockedSize", shared));
  all.push_back(compose<Pipe<KingsleyHeap<PlainSource>, Locked<>, Ansi>>("LockedKingsley", own));
  all.push_back(compose<Pipe<PlainSource, Lea<>, Locked<>>>(
      "LockedLea", {.releases_live = true, .is_for_threads = true}));

  all.push_back(compose<Pipe<PlainSource, Size, Thread<3, Freelist>>>("ThreadFreelist", shared));
  all.push_back(
      compose<Pipe<FullSource, Thread<2, StrictSeg<MultiplesOf<20, 64>, BoundedFreelist<9>>>>>(
          "ThreadSeg", shared));
  all.push_back(
      compose<Pipe<PlainSource, Size, Thread<4, StrictSeg<PowersOfTwo<15>, Freelist>>, Ansi>>(
          "ThreadAnsi", shared));

  all.push_back(compose<Pipe<PlainSource, PHOThread<3, Freelist>>>("PhoFreelist", shared));
  all.push_back(compose<Pipe<FullSource, PHOThread<2, Size>>>("PhoSize", shared));
  all.push_back(compose<Pipe<PlainSource, PHOThread<3, Kingsley>, Ansi>>("PhoKingsley", own));
  all.push_back(compose<Pipe<MmapHeap, PHOThread<1, Kingsley>>>("PhoOne", own));

  all.push_back(compose<HoardHeap<>>("Hoard", own));
  all.push_back(compose<HoardHeap<SizedSource>>("HoardSized", own));
  all.push_back(compose<Pipe<MmapHeap, Hoard<8192, 2>, Ansi>>("HoardSmall", own));
  using Memory = Pipe<MmapHeap, Granules<32768>>;
  all.push_back(compose<Memory>("HoardGranules", own));
  all.push_back(compose<Pipe<Memory, LargeObjects>>("HoardLarge", own));
  all.push_back(
      compose<Pipe<Memory, LargeObjects, Superblocks<HoardClasses<32768>, 3>>>("HoardBlocks", own));
}

}  // namespace mmt::layers::conformance
