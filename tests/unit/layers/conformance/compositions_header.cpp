// Headers of blocks.
#include <mmt/layers/combine/seg_heap.h>
#include <mmt/layers/combine/tagged_sizes.h>
#include <mmt/layers/fit/adapt_heap.h>
#include <mmt/layers/fit/chunk_heap.h>
#include <mmt/layers/fit/coalesce_heap.h>
#include <mmt/layers/fit/dl_list.h>
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/fit/size_list.h>
#include <mmt/layers/fit/unsorted_heap.h>
#include <mmt/layers/header/coalesceable_heap.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/buffer_heap.h>
#include <mmt/layers/source/mmap_heap.h>
#include <mmt/layers/source/sbrk_heap.h>

#include "unit/layers/conformance/compositions.h"
#include "unit/layers/conformance/counting_sources.h"

namespace mmt::layers::conformance {

void add_headers(Compositions& all) {
  const Terms region = {.reuses = false, .releases_live = true};
  all.push_back(compose<Pipe<PlainSource, Size>>("Size"));
  all.push_back(compose<Pipe<SkewedSource, Size>>("SizeSkewed"));
  all.push_back(compose<Pipe<FullSource, Size>>("SizeFull"));
  all.push_back(compose<Pipe<MmapHeap, Size>>("SizeMmap", {.is_for_threads = true}));
  all.push_back(compose<Pipe<SbrkHeap, Size>>("SizeSbrk", region));
  all.push_back(compose<Pipe<PlainSource, Size, Size>>("SizeTwice"));
  all.push_back(compose<Pipe<PlainSource, Chunk<4096, 8>, Size>>("ChunkSize", region));
  all.push_back(compose<Pipe<PlainSource, Freelist, Size>>("FreelistSize"));
  all.push_back(compose<Pipe<PlainSource, Size, Freelist>>("SizeFreelist"));
  all.push_back(compose<Pipe<BufferHeap<300000>, Size>>(
      "BufferSize",
      {.is_full_early = true, .reuses = false, .releases_live = true, .largest = 200000}));

  const Terms own = {.releases_live = true};
  using Sizes = Stack<Seg<LeaLargeSizes<40>, Adapt<SizeList>>, Seg<TaggedSizes<1>, Adapt<DlList>>>;
  all.push_back(compose<Pipe<PlainSource, Coalesceable<>>>("Coalesceable", region));
  all.push_back(compose<Pipe<FullSource, Coalesceable<1>>>("CoalesceableFull", region));
  all.push_back(compose<Pipe<SbrkHeap, Coalesceable<4096>>>("CoalesceableSbrk", region));
  all.push_back(compose<Pipe<PlainSource, Coalesceable<4096>, Sizes, Coalesce>>("Coalesce", own));
  all.push_back(compose<Pipe<SbrkHeap, Coalesceable<>, Sizes, Coalesce>>("CoalesceSbrk", own));
  all.push_back(
      compose<Pipe<FullSource, Coalesceable<1>, Sizes, Unsorted, Coalesce>>("Unsorted", own));
}

}  // namespace mmt::layers::conformance
