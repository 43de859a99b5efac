#include "harden/begin.h"

#include <algorithm>

#include <mmt/core/compiler.h>

#include "harden/served_heap.h"
#include "harden/settings.h"
#include "harden/stacks.h"
#include "harden/states.h"
#include "harden/times.h"
#include "harden/words.h"
#include "heap/process/opening.h"
#include "heap/thread/entry.h"

namespace mmt::harden {
namespace {

// The memory thread starts so early.
constexpr uint64_t kStartBytes = size_t{64} << 10;

// No block has been handed out: threads that come here at once find the same settings.
MMT_COLD bool begin_once() {
  heap::Heap& heap = served_heap();
  if (!heap::open_heap(heap)) return false;
  static sync::Opening<> opening;
  const sys::SignalsBlocked blocked;
  if (opening.begin()) {
    choose_secrets();
    begin_times();
    const store::Region& region = heap.depot.region();
    states_of_zero = region.states() - reinterpret_cast<uintptr_t>(region.base()) / 16;
    read_settings(heap.options);
    if (settings.keeps_stacks) stacks.open(heap.depot.budget());
    if (!settings.is_standard) heap::keep_to_slow_paths(heap);
    // A small program may sleep for long, too.
    heap.options.start_bytes = std::min(heap.options.start_bytes, kStartBytes);
    opening.finish(true);
  }
  for (uint32_t turn = 0; opening.state() == opening.kOpening; ++turn) sys::give_way(turn);
  return true;
}

}  // namespace

bool begin() {
  // Acquire: with the settings come the secrets.
  return MMT_LIKELY(__atomic_load_n(&settings.is_read, __ATOMIC_ACQUIRE)) || begin_once();
}

}  // namespace mmt::harden
