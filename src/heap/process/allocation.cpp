#include "heap/process/allocation.h"

#include <cstring>

#include <mmt/sys/pages.h>
#include <mmt/sys/thread.h>

#include "heap/gates/arrive.h"
#include "heap/gates/mapped_blocks.h"
#include "heap/keeper/purger.h"
#include "heap/object/depot_guard.h"
#include "heap/object/samples.h"
#include "heap/object/thread_state.h"
#include "heap/pages/changed_pages.h"
#include "heap/process/large_blocks.h"
#include "heap/process/moved_pages.h"
#include "heap/process/opening.h"
#include "heap/process/sparse_bytes.h"
#include "heap/thread/cpu_caches.h"
#include "heap/thread/entry.h"
#include "heap/thread/reclaim.h"
#include "heap/thread/refill.h"
#include "heap/thread/surplus.h"

namespace mmt::heap {

uint8_t code_of(Heap& heap, const void* block) {
  const store::Region& region = heap.depot.region();
  return region.contains(block) ? region.true_class_of(region.slot_index(block)) : store::kForeign;
}

namespace {

void deallocate_of_class(Heap& heap, void* block, SizeClass c) {
  put_away(heap, block, c);
  if (MMT_UNLIKELY(heap.program_gives_back.load(std::memory_order_relaxed)))
    give_back_as_told(heap);
}

// Frees a block of a span in which the program has changed pages.
MMT_COLD void deallocate_changed(Heap& heap, void* block) {
  const store::Region& region = heap.depot.region();
  if (renew_changed_block(heap, block))
    deallocate_of_class(heap, block, region.true_class_of(region.slot_of(block)));
  renew_changed_runs(heap);
}

void* allocate_knowing(Heap& heap, size_t bytes, bool* zeroed);

// A block that is to shrink stays where it is when there is no memory for a smaller one, or only a
// larger one serves.
MMT_NOINLINE void* copy_to_smaller(Heap& heap, void* from, size_t old_bytes, size_t bytes) {
  void* const to = allocate(heap, bytes);
  if (to == nullptr) return from;
  if (usable_size(heap, to) >= old_bytes) {
    deallocate(heap, to);
    return from;
  }
  memcpy(to, from, bytes);
  deallocate(heap, from);
  return to;
}

MMT_NOINLINE void* copy_to_larger(Heap& heap, void* from, size_t old_bytes, size_t bytes) {
  bool zeroed = false;
  void* const to =
      old_bytes > sys::kPageSize ? allocate_knowing(heap, bytes, &zeroed) : allocate(heap, bytes);
  if (to == nullptr) return nullptr;
  if (zeroed)
    copy_to_zeroed(static_cast<char*>(to), static_cast<const char*>(from), old_bytes);
  else
    memcpy(to, from, old_bytes);
  deallocate(heap, from);
  return to;
}

// Copies a large block that the program may have changed, and that could not be moved. A block that
// cannot be read is not copied, and stays as it is.
MMT_COLD void* copy_changed(Heap& heap, void* from, size_t old_bytes, size_t bytes) {
  void* to = allocate(heap, bytes);
  if (to == nullptr) return nullptr;
  if (!sys::copy_if_readable(to, from, std::min(old_bytes, bytes))) {
    deallocate(heap, to);
    return nullptr;
  }
  deallocate(heap, from);
  return to;
}

// Everything that is free but not in the depot goes there, as far as the calling thread can reach.
// The thread reaches its own caches and span, ended threads' clients, channels, and returned
// blocks.
MMT_COLD void gather_to_depot(Heap& heap, Entry& entry) {
  const uint32_t self = thread_id();
  if (Client* client = entry.client()) reclaim_client(heap, self, *client);
  reclaim_zombies(heap, self);
  const uint32_t count = heap.clients.count();
  for (uint32_t i = 0; i < count; ++i)
    if (Client* client = heap.clients.at(i)) read_surplus(heap, self, *client);
  merge_resting(heap, self, ~size_t{0});
  const DepotStep lock(heap, self);
  heap.depot.large().collect(lock, ~size_t{0});
  heap.depot.singles().put_spans(lock);
}

// The heap is open.
MMT_COLD void gather(Heap& heap) {
  thread_state.may_gather = false;
  {
    Entry entry(heap);
    const sys::SignalsBlocked blocked;
    if (!is_amid_depot_step(heap, thread_id())) {
      empty_cpu_caches(heap, thread_id(), CpuCacheKind::kAll);
      gather_to_depot(heap, entry);
      heap.notify();
    }
  }
  renew_changed_runs(heap);
}

// Calls attempt(), which is for a large block; when memory is short, gathers and calls it once
// more. The first attempt() may ask for that, too, where the program wants memory kept, and free
// memory lies only here and there.
template <class Attempt>
void* allocate_large_gathering(Heap& heap, Attempt&& attempt) {
  thread_state.may_gather = heap.keeps_all();
  void* const block = attempt();
  if (MMT_LIKELY(block != nullptr) || !heap.is_open()) return block;
  gather(heap);
  return attempt();
}

// Memory is short, and what is free is of other sizes: a block of up to four times the size.
MMT_COLD void* take_larger(Heap& heap, SizeClass c) {
  const DepotGuard lock(heap);
  if (!lock.held()) return nullptr;
  const size_t most = 4 * size_t{kClasses[c].size};
  for (++c; c < kClassCount && kClasses[c].size <= most; ++c) {
    if (void* block = take_block(heap, lock, c)) return block;
    if (void* block = take_poor_block(heap, lock, c)) return block;
  }
  return nullptr;
}

// At the first call. Few frames below it, as the reading of options takes much of the stack.
MMT_ALWAYS_INLINE bool is_ready(Heap& heap) {
  return MMT_LIKELY(heap.is_open()) || open_heap(heap);
}

// `block`, or another attempt where that is null. In place, as each frame below would be one more.
MMT_ALWAYS_INLINE void* or_once_more(Heap& heap, SizeClass c, void* block) {
  if (MMT_LIKELY(block != nullptr)) return block;
  gather(heap);
  return allocate_of_class(heap, c);
}

MMT_NOINLINE void* allocate_small(Heap& heap, SizeClass c) {
  if (!is_ready(heap)) return nullptr;
  void* const block = or_once_more(heap, c, allocate_of_class(heap, c));
  return MMT_LIKELY(block != nullptr) ? block : take_larger(heap, c);
}

// Allocates a block of more than a page.
void* allocate_knowing(Heap& heap, size_t bytes, bool* zeroed) {
  *zeroed = false;
  if (bytes > store::kMaxClassSize)
    return allocate_large_gathering(
        heap, [=, &heap] { return allocate_large_for_copy(heap, bytes, zeroed); });
  const SizeClass c = store::geometric_class(bytes);
  return pop_cached(current_fast, c, [=, &heap]() -> void* {
    if (!is_ready(heap)) return nullptr;
    void* const block = allocate_of_pages(heap, c, zeroed);
    return MMT_LIKELY(block != nullptr) ? block : allocate_small(heap, c);
  });
}

MMT_NOINLINE void* allocate_zeroed_pages(Heap& heap, size_t bytes) {
  if (bytes > store::kMaxClassSize)
    return allocate_large_gathering(heap,
                                    [&heap, bytes] { return allocate_large_zeroed(heap, bytes); });
  bool zeroed = false;
  auto* const block = static_cast<char*>(allocate_knowing(heap, bytes, &zeroed));
  if (block == nullptr || zeroed) return block;
  if (heap.samples.is_dense(kind_of_class(store::geometric_class(bytes))))
    memset(block, 0, bytes);
  else
    clear_sparsely(block, bytes);
  return block;
}

MMT_NOINLINE void* allocate_large_or_gather(Heap& heap, size_t bytes, size_t alignment) {
  return allocate_large_gathering(heap,
                                  [=, &heap] { return allocate_large(heap, bytes, alignment); });
}

// A block that is large, or a mapping. Its new place; nullptr: it has to be copied.
MMT_NOINLINE void* resize_by_pages(Heap& heap, uint8_t code, void* block, size_t bytes) {
  const bool is_done = code == store::kLargeHead ? reallocate_large(heap, &block, bytes)
                                                 : reallocate_mapped(heap, &block, bytes);
  return is_done ? block : nullptr;
}

}  // namespace

void* allocate_slow(Heap& heap, size_t bytes) {
  if (bytes <= store::kMaxSmallSize) return allocate_small(heap, store::stepped_class(bytes));
  if (bytes <= store::kMaxClassSize) {
    const SizeClass c = store::geometric_class(bytes);
    return pop_cached(current_fast, c, [&heap, c] { return allocate_small(heap, c); });
  }
  return allocate_large_or_gather(heap, bytes, 1);
}

void* allocate_aligned(Heap& heap, size_t bytes, size_t alignment) {
  if (alignment <= 16) return allocate(heap, bytes);
  const SizeClass c = store::class_of_aligned_size(bytes, alignment);
  if (c == store::kNoClass) return allocate_large_or_gather(heap, bytes, alignment);
  // No larger class serves.
  return pop_cached(current_fast, c, [&heap, c] {
    return is_ready(heap) ? or_once_more(heap, c, allocate_of_class(heap, c)) : nullptr;
  });
}

void* allocate_zeroed(Heap& heap, size_t bytes) {
  if (bytes > sys::kPageSize) return allocate_zeroed_pages(heap, bytes);
  void* block = allocate(heap, bytes);
  if (block != nullptr) memset(block, 0, bytes);
  return block;
}

bool deallocate_slow(Heap& heap, void* block) {
  const store::Region& region = heap.depot.region();
  if (code_of(heap, block) == store::kForeign) return deallocate_mapped(heap, block);
  const uint8_t code = region.class_of(region.slot_of(block));
  if (code == store::kLargeHead)
    deallocate_large(heap, block);
  else if (code == store::kChanged)
    deallocate_changed(heap, block);
  else if (code != store::kNoClass && code < kClassCount)
    deallocate_of_class(heap, block, code);
  return true;  // an address without a block is let go: checking is another mode's task
}

bool owns(Heap& heap, const void* block) {
  return code_of(heap, block) != store::kForeign || mapped_size(heap, block) != 0;
}

size_t usable_size(Heap& heap, const void* block) {
  const store::Region& region = heap.depot.region();
  const uint8_t code = code_of(heap, block);
  if (code == store::kForeign) return mapped_size(heap, block);
  if (code == store::kNoClass) return 0;
  if (code < kClassCount) return kClasses[code].size;
  if (code != store::kLargeHead) return 0;
  return region.span(region.slot_of(block)).large_bytes;
}

void* reallocate(Heap& heap, void* block, size_t bytes) {
  const uint8_t code = code_of(heap, block);
  if (code == store::kForeign && is_mapping_unknown(heap)) return nullptr;
  if (code == store::kLargeHead || code == store::kForeign)
    if (void* const place = resize_by_pages(heap, code, block, bytes)) return place;
  const size_t old_bytes = usable_size(heap, block);
  // What the program has done to a mapping of its own is not known.
  if (code == store::kForeign || (code == store::kLargeHead && is_changed(heap, block)))
    return copy_changed(heap, block, old_bytes, bytes);
  if (bytes > old_bytes) return copy_to_larger(heap, block, old_bytes, bytes);
  // In place when the class is right, or a little too large.
  const bool is_small = code != store::kLargeHead;
  if (is_small && bytes >= old_bytes / 2 + old_bytes / 4) return block;
  if (is_small && bytes > 0 && store::class_of_size(bytes) == code) return block;
  return copy_to_smaller(heap, block, old_bytes, bytes);
}

bool trim(Heap& heap) {
  if (!open_heap(heap)) return false;
  gather(heap);
  return purge_all(heap);
}

}  // namespace mmt::heap
