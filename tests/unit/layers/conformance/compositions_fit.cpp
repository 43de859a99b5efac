// Lists and chunks.
#include <mmt/layers/fit/adapt_heap.h>
#include <mmt/layers/fit/bounded_freelist_heap.h>
#include <mmt/layers/fit/chunk_heap.h>
#include <mmt/layers/fit/dl_list.h>
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/fit/size_list.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/mmap_heap.h>
#include <mmt/layers/source/sbrk_heap.h>

#include "unit/layers/conformance/compositions.h"
#include "unit/layers/conformance/counting_sources.h"

namespace mmt::layers::conformance {

void add_fit(Compositions& all) {
  all.push_back(compose<Pipe<PlainSource, Freelist>>("Freelist"));
  all.push_back(compose<Pipe<ShyAlignedSource, Freelist>>("FreelistShy"));
  all.push_back(compose<Pipe<FullSource, Freelist>>("FreelistFull"));
  all.push_back(compose<Pipe<MmapHeap, Freelist>>("FreelistMmap"));
  all.push_back(compose<Pipe<SbrkHeap, Freelist>>("FreelistSbrk", {.releases_live = true}));
  all.push_back(compose<Pipe<PlainSource, BoundedFreelist<5>>>("BoundedFreelist"));
  all.push_back(compose<Pipe<FullSource, BoundedFreelist<1>, BoundedFreelist<3>>>("TwoBounded"));

  const Terms region = {.reuses = false, .releases_live = true};
  all.push_back(compose<Pipe<PlainSource, Chunk<4096>>>("Chunk", region));
  all.push_back(compose<Pipe<PlainSource, Chunk<1>>>("ChunkOfOne", region));
  all.push_back(compose<Pipe<SizedSource, Chunk<1000, 8>>>("ChunkSkewed", region));
  all.push_back(compose<Pipe<SbrkHeap, Chunk<4096>>>("ChunkContiguous", region));
  all.push_back(compose<Pipe<SbrkHeap, Chunk<1000, 8>>>("ChunkContiguousSkewed", region));
  all.push_back(compose<Pipe<MmapHeap, Chunk<65536>>>("ChunkMmap", region));
  all.push_back(
      compose<Pipe<PlainSource, Chunk<4096>, Freelist>>("ChunkFreelist", {.releases_live = true}));

  all.push_back(compose<Pipe<PlainSource, Adapt<DlList>>>("AdaptList"));
  all.push_back(compose<Pipe<FullSource, Adapt<DlList>>>("AdaptListFull"));
  all.push_back(compose<Pipe<PlainSource, Size, Adapt<SizeList>>>("AdaptSizes"));
  all.push_back(compose<Pipe<FullSource, Adapt<SizeList>>>("AdaptSizesFull"));
}

}  // namespace mmt::layers::conformance
