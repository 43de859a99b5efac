// Heaps made of several.
#include <mmt/layers/combine/hybrid_heap.h>
#include <mmt/layers/combine/round_up_heap.h>
#include <mmt/layers/combine/seg_heap.h>
#include <mmt/layers/combine/select_heap.h>
#include <mmt/layers/combine/select_mmap_heap.h>
#include <mmt/layers/combine/strict_seg_heap.h>
#include <mmt/layers/combine/tagged_sizes.h>
#include <mmt/layers/combine/threshold_heap.h>
#include <mmt/layers/fit/adapt_heap.h>
#include <mmt/layers/fit/bounded_freelist_heap.h>
#include <mmt/layers/fit/chunk_heap.h>
#include <mmt/layers/fit/coalesce_heap.h>
#include <mmt/layers/fit/dl_list.h>
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/fit/size_list.h>
#include <mmt/layers/general/kingsley_heap.h>
#include <mmt/layers/header/coalesceable_heap.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/malloc_heap.h>
#include <mmt/layers/source/mapped_heap.h>
#include <mmt/layers/source/mmap_heap.h>

#include "unit/layers/conformance/compositions.h"
#include "unit/layers/conformance/counting_sources.h"

namespace mmt::layers::conformance {

void add_combine(Compositions& all) {
  using Steps = MultiplesOf<10, 32>;
  all.push_back(compose<Pipe<PlainSource, Size, StrictSeg<PowersOfTwo<8>, Freelist>>>("StrictSeg"));
  all.push_back(compose<Pipe<SizedSource, StrictSeg<Steps, Freelist>>>("StrictSegSized"));
  all.push_back(compose<Pipe<FullSource, StrictSeg<Steps, Freelist>>>("StrictSegFull"));
  all.push_back(
      compose<Pipe<FullSource, Size, StrictSeg<Steps, BoundedFreelist<3>>>>("StrictSegBounded"));
  all.push_back(compose<Pipe<MallocHeap, StrictSeg<PowersOfTwo<16>, Freelist>>>("StrictSegMalloc"));
  all.push_back(compose<Pipe<PlainSource, Chunk<65536, 8>, Size,
                             StrictSeg<PowersOfTwo<20>, BoundedFreelist<1000>>>>(
      "StrictSegChunk", {.releases_live = true}));
  all.push_back(compose<Pipe<FullSource, Size, StrictSeg<PowersOfTwo<14>, Freelist>,
                             StrictSeg<PowersOfTwo<8>, BoundedFreelist<2>>>>("StrictSegTwice"));

  all.push_back(compose<Pipe<PlainSource, RoundUp<Steps>>>("RoundUp"));
  all.push_back(compose<Pipe<FullSource, RoundUp<PowersOfTwo<9>>>>("RoundUpFull"));
  all.push_back(compose<Pipe<FullSource, Size, RoundUp<PowersOfTwo<9>>>>("RoundUpSize"));

  all.push_back(compose<Pipe<PlainSource, Size, Seg<PowersOfTwo<12>, Adapt<DlList>>>>("Seg"));
  all.push_back(compose<Pipe<PlainSource, Size, Seg<Steps, Adapt<SizeList>>>>("SegSizes"));
  all.push_back(compose<Pipe<FullSource, Size, Seg<LeaLargeSizes<1000>, Adapt<SizeList>>,
                             Seg<PowersOfTwo<6>, Adapt<DlList>>>>("SegTwice"));

  const Terms own = {.releases_live = true};
  const Terms large = {.releases_live = true};
  using Tagged = Pipe<PlainSource, Coalesceable<8192>, Seg<LeaLargeSizes<40>, Adapt<SizeList>>,
                      Seg<TaggedSizes<1>, Adapt<DlList>>, Coalesce>;
  all.push_back(
      compose<Pipe<PlainSource, Coalesceable<4096>, Seg<TaggedSizes<20>, Adapt<DlList>>, Coalesce>>(
          "SegCoalesce", own));
  all.push_back(
      compose<Pipe<PlainSource, Size, Threshold<512, PowersOfTwo<5>, Freelist>>>("Threshold"));
  all.push_back(
      compose<Pipe<Tagged, Threshold<1000, TaggedSizes<7>, Freelist>>>("ThresholdTagged", own));
  all.push_back(compose<Pipe<Tagged, SelectMmap<20000, MmapHeap>>>("SelectMmap", large));
  all.push_back(
      compose<Pipe<Tagged, SelectMmap<5000, SizedSource, 40000>>>("SelectMmapRising", large));

  all.push_back(compose<Pipe<PlainSource, Size, Hybrid<100, Freelist>>>("Hybrid"));
  all.push_back(compose<Pipe<SizedSource, Hybrid<500, BoundedFreelist<3>>>>("HybridSized"));
  all.push_back(compose<Pipe<FullSource, Hybrid<64, StrictSeg<Steps, Freelist>>>>("HybridSeg"));
  all.push_back(compose<Pipe<KingsleyHeap<PlainSource>, Hybrid<1, Freelist>>>("HybridOne", own));

  using Cells = Pipe<FullSource, Chunk<4096>, Freelist>;
  all.push_back(compose<Pipe<PlainSource, Size, Select<200, Cells>>>("SelectCells"));
  all.push_back(compose<Pipe<FullSource, Select<0, Cells>>>("SelectNothing"));
  all.push_back(
      compose<Pipe<MappedHeap, Select<5000, KingsleyHeap<FullSource>>>>("SelectMapped", large));
  all.push_back(
      compose<Pipe<FullSource, Size, Select<1000, Pipe<PlainSource, Size>>>>("SelectByLarge"));
}

}  // namespace mmt::layers::conformance
