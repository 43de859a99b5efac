#include "heap/thread/entry.h"

#include <mmt/sys/thread.h>

#include "heap/gates/surplus_reader.h"
#include "heap/object/thread_state.h"
#include "heap/thread/cpu_caches.h"

namespace mmt::heap {
namespace {

// Frames further apart than this lie on different stacks. Nothing can be told from their order, and
// the other stack may not be read, since it could be gone.
constexpr uintptr_t kSameStackBytes = 4u << 20;

}  // namespace

MMT_COLD bool Entry::recover(Client& client, uintptr_t frame) {
  Heap& heap = *client.heap;
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const uintptr_t distance = here > frame ? here - frame : frame - here;
  // On the alternate stack of a handler, wherever that lies, nothing can be told either.
  if (distance > kSameStackBytes || sys::on_signal_stack()) return false;
  const bool below_stack = frame < here;  // stacks grow down: no live frame lies below this one
  if (!below_stack) {
    const auto* entry = reinterpret_cast<const Entry*>(frame);
    if (entry->cookie_ == (kCookie ^ frame)) return false;
  }
  if (client.busy_class != 0) client.drop(client.busy_class);
  client.busy_class = 0;
  recover_holds(heap, thread_id());
  // Release: pairs with the sweeper's acquire.
  client.busy_frame.store(0, std::memory_order_release);
  return true;
}

void recover_holds(Heap& heap, uint32_t self) {
  recover_cpu_caches(heap, self);
  recover_readers(heap, self);
}

MMT_COLD void keep_to_slow_paths(Heap& heap) {
  // Relaxed: a switch, by which nothing else is found.
  heap.slow_paths_only.store(true, std::memory_order_relaxed);
  current_fast = &empty_fast_part;
}

}  // namespace mmt::heap
