// Lists and chunks.
#include <mmt/layers/adapt/ansi_heap.h>
#include <mmt/layers/fit/adapt_heap.h>
#include <mmt/layers/fit/bounded_freelist_heap.h>
#include <mmt/layers/fit/buddy.h>
#include <mmt/layers/fit/chunk_heap.h>
#include <mmt/layers/fit/dl_list.h>
#include <mmt/layers/fit/double_buddy.h>
#include <mmt/layers/fit/fit_heap.h>
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/fit/segregated_fit.h>
#include <mmt/layers/fit/sequential_fit.h>
#include <mmt/layers/fit/simple_segregated.h>
#include <mmt/layers/fit/size_list.h>
#include <mmt/layers/fit/tlsf.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/mmap_heap.h>
#include <mmt/layers/source/reserved_heap.h>
#include <mmt/layers/source/sbrk_heap.h>

#include "unit/layers/conformance/compositions.h"
#include "unit/layers/conformance/counting_sources.h"

namespace mmt::layers::conformance {
namespace {

template <template <class> class Policy, auto... kOptions>
using Fit = Fitting<FitChoice<Policy, kOptions...>>;
using Reserved = ReservedHeap<size_t{1} << 32>;

void add_policies(Compositions& all) {
  using fit::SegregatedOptions;
  using fit::SequentialOptions;
  const Terms terms = {.releases_live = true, .has_side_tables = true};
  using Sequential = Pipe<Reserved, Fit<fit::SequentialFit, SequentialOptions{}>>;
  using Joining = Pipe<Reserved, Fit<fit::SequentialFit, SequentialOptions{.coalesces = true}>>;
  using Segregated = Pipe<Reserved, Fit<fit::SegregatedFit, SegregatedOptions{}>>;
  using Lea =
      Pipe<Reserved,
           Fit<fit::SegregatedFit, SegregatedOptions{.fit = fit::Fit::kBest, .coalesces = true}>>;
  all.push_back(compose<Sequential>("FitSequential", terms));
  all.push_back(compose<Joining>("FitSequentialJoining", terms));
  all.push_back(compose<Segregated>("FitSegregated", terms));
  all.push_back(compose<Lea>("FitSegregatedJoining", terms));
  all.push_back(compose<Pipe<Reserved, Fit<fit::SimpleSegregated>>>("FitSimple", terms));
  all.push_back(compose<Pipe<Reserved, Fit<fit::Buddy>>>("FitBuddy", terms));
  all.push_back(compose<Pipe<Reserved, Fit<fit::DoubleBuddy>>>("FitDoubleBuddy", terms));
  all.push_back(compose<Pipe<Reserved, Fit<fit::Tlsf>>>("FitTlsf", terms));
  all.push_back(compose<Pipe<Reserved, Fit<fit::Tlsf>, Ansi>>("FitTlsfAnsi", terms));
  const Terms small = {.is_full_early = true, .releases_live = true, .has_side_tables = true};
  all.push_back(compose<Pipe<ReservedHeap<size_t{1} << 20>, Fit<fit::Tlsf>>>("FitSmall", small));
}

}  // namespace

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

  add_policies(all);
}

}  // namespace mmt::layers::conformance
