// General-purpose allocators.
#include <mmt/layers/general/kingsley_coalescing_heap.h>
#include <mmt/layers/general/kingsley_heap.h>
#include <mmt/layers/general/lea_heap.h>
#include <mmt/layers/source/mmap_heap.h>

#include "unit/layers/conformance/compositions.h"
#include "unit/layers/conformance/counting_sources.h"

namespace mmt::layers::conformance {

void add_general(Compositions& all) {
  const Terms own = {.releases_live = true};
  const Terms lea = {.releases_live = true, .owns_addresses_of_blocks = true};
  all.push_back(compose<KingsleyHeap<PlainSource>>("Kingsley", own));
  all.push_back(compose<KingsleyHeap<MmapHeap>>("KingsleyMmap", own));
  all.push_back(compose<KingsleyHeap<>>("KingsleySbrk", own));
  all.push_back(compose<KingsleyCoalescingHeap<PlainSource>>("KingsleyCoalescing", own));
  all.push_back(compose<KingsleyCoalescingHeap<>>("KingsleyCoalescingSbrk", own));
  all.push_back(compose<Pipe<PlainSource, Lea<70000, SizedSource>>>("Lea", lea));
  all.push_back(compose<LeaHeap<>>("LeaSbrk", lea));
  all.push_back(compose<Pipe<MmapHeap, Lea<30000, MmapHeap, 100000>>>("LeaRising", lea));
}

}  // namespace mmt::layers::conformance
