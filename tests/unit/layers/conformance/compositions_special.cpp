// Heaps for objects of known lifetimes.
#include <mmt/layers/adapt/ref_heap.h>
#include <mmt/layers/combine/hybrid_heap.h>
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/general/kingsley_heap.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/buffer_heap.h>
#include <mmt/layers/source/mmap_heap.h>
#include <mmt/layers/source/sbrk_heap.h>
#include <mmt/layers/special/obstack_heap.h>
#include <mmt/layers/special/xalloc_heap.h>
#include <mmt/layers/special/zone_heap.h>

#include "unit/layers/conformance/compositions.h"
#include "unit/layers/conformance/counting_sources.h"

namespace mmt::layers::conformance {

void add_special(Compositions& all) {
  const Terms region = {.reuses = false, .releases_live = true};
  const Terms stack = {.is_stack = true, .releases_live = true};
  const Terms arena = {
      .is_full_early = true, .reuses = false, .releases_live = true, .largest = 300000};

  all.push_back(compose<Pipe<PlainSource, Obstack<4096>>>("Obstack", stack));
  all.push_back(compose<Pipe<FullSource, Obstack<1>>>("ObstackOfOne", stack));
  all.push_back(compose<Pipe<MmapHeap, Obstack<10000>>>("ObstackMmap", stack));
  all.push_back(compose<Pipe<KingsleyHeap<PlainSource>, Obstack<1000>>>("ObstackKingsley", stack));
  all.push_back(
      compose<Pipe<SizedSource, Hybrid<4200, Freelist>, Obstack<4096>>>("ObstackHybrid", stack));

  all.push_back(compose<Pipe<PlainSource, Zone<4096>>>("Zone", region));
  all.push_back(compose<Pipe<FullSource, Zone<1000>>>("ZoneFull", region));
  all.push_back(compose<Pipe<MmapHeap, Zone<65536>>>("ZoneMmap", region));
  all.push_back(compose<Pipe<SbrkHeap, Zone<65536>>>("ZoneSbrk", region));
  all.push_back(
      compose<Pipe<PlainSource, Zone<4096>, Freelist>>("ZoneFreelist", {.releases_live = true}));

  all.push_back(compose<Pipe<PlainSource, Xalloc<(1 << 20)>>>("Xalloc", arena));
  all.push_back(compose<Pipe<FullSource, Xalloc<400001>>>("XallocOdd", arena));
  all.push_back(compose<Pipe<BufferHeap<500000>, Xalloc<400000>>>("XallocBuffer", arena));
  all.push_back(compose<Pipe<MmapHeap, Xalloc<(1 << 20)>, Size>>("XallocSize", arena));
}

}  // namespace mmt::layers::conformance
