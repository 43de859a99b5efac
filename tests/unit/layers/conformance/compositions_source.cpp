// Top heaps, alone, and the sources of the tests themselves.
#include <mmt/layers/source/buffer_heap.h>
#include <mmt/layers/source/malloc_heap.h>
#include <mmt/layers/source/mapped_heap.h>
#include <mmt/layers/source/mmap_heap.h>
#include <mmt/layers/source/null_heap.h>
#include <mmt/layers/source/reserved_heap.h>
#include <mmt/layers/source/sbrk_heap.h>
#include <mmt/layers/source/stretch_heap.h>
#include <mmt/layers/source/system_heap.h>

#include "unit/layers/conformance/compositions.h"
#include "unit/layers/conformance/counting_sources.h"

namespace mmt::layers::conformance {

void add_sources(Compositions& all) {
  all.push_back(compose<PlainSource>("PlainSource"));
  all.push_back(compose<SizedSource>("SizedSource"));
  all.push_back(compose<FullSource>("FullSource"));
  all.push_back(compose<SkewedSource>("SkewedSource"));
  all.push_back(compose<ShyAlignedSource>("ShyAlignedSource"));

  all.push_back(compose<BufferHeap<300000>>(
      "Buffer",
      {.is_full_early = true, .reuses = false, .releases_live = true, .largest = 200000}));
  all.push_back(compose<MallocHeap>("Malloc", {.is_for_threads = true}));
  all.push_back(compose<MmapHeap>("Mmap", {.is_for_threads = true}));
  all.push_back(compose<MappedHeap>("Mapped", {.releases_live = true}));
  all.push_back(compose<NullHeap>("Null", {.gives_nothing = true}));
  const Terms kept = {.reuses = false, .releases_live = true};
  all.push_back(compose<ReservedHeap<(1 << 26)>>("Reserved", kept));
  all.push_back(compose<SbrkHeap>("Sbrk", kept));
  all.push_back(compose<StretchHeap<>>("Stretch", kept));
  all.push_back(compose<SystemHeap>("System", kept));
}

}  // namespace mmt::layers::conformance
