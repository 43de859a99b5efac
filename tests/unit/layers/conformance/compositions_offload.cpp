// Heaps on a thread of their own.
#include <mmt/layers/adapt/ansi_heap.h>
#include <mmt/layers/general/hoard_heap.h>
#include <mmt/layers/general/kingsley_heap.h>
#include <mmt/layers/general/lea_heap.h>
#include <mmt/layers/general/phk_heap.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/source/mmap_heap.h>
#include <mmt/layers/thread/offload/offload_heap.h>

#include "unit/layers/conformance/compositions.h"
#include "unit/layers/conformance/counting_sources.h"

namespace mmt::layers::conformance {

using layers::Offload;

void add_offload(Compositions& all) {
  // Beside the heap there are what clients have and the reserve.
  const Terms shared = {.is_for_threads = true, .has_side_tables = true};
  const Terms own = {.releases_live = true, .is_for_threads = true, .has_side_tables = true};
  all.push_back(compose<Pipe<PlainSource, Size, Offload<>>>("OffloadSize", shared));
  all.push_back(compose<Pipe<SizedSource, Size, Offload<>, Ansi>>("OffloadAnsi", shared));
  all.push_back(compose<Pipe<KingsleyHeap<PlainSource>, Offload<>>>("OffloadKingsley", own));
  all.push_back(compose<Pipe<PlainSource, Lea<>, Offload<>>>("OffloadLea", own));
  all.push_back(compose<Pipe<PhkHeap<>, Size, Offload<>>>("OffloadPhk", own));
  all.push_back(compose<Pipe<HoardHeap<>, Offload<>>>("OffloadHoard", own));
}

}  // namespace mmt::layers::conformance
