#include "offload/heap.h"

#include <cstring>

#include <mmt/sys/pages.h>
#include <mmt/sys/thread.h>

#include "offload/arrive.h"
#include "offload/changed_pages.h"
#include "offload/depot_guard.h"
#include "offload/entry.h"
#include "offload/large_blocks.h"
#include "offload/mapped_blocks.h"
#include "offload/moved_pages.h"
#include "offload/purger.h"
#include "offload/reclaim.h"
#include "offload/refill.h"
#include "offload/samples.h"
#include "offload/server.h"
#include "offload/sparse_bytes.h"
#include "offload/surplus.h"

namespace mmt::offload {
namespace {

// For threads without a client, and for calls that interrupted a slow path.
void* allocate_direct(SizeClass c) {
  if (!open_runtime()) return nullptr;
  if (const DepotGuard lock; lock.held())
    if (void* block = take_block(runtime.depot, lock, c)) return block;
  return take_fresh_block(runtime.depot, c);
}

MMT_NOINLINE void* allocate_of_class(SizeClass c) {
  Entry entry;
  Client* client = entry.client();
  if (client == nullptr) return allocate_direct(c);
  if (void* block = pop_exclusive(*client, c)) return block;
  return refill(*client, c);
}

// A block of several pages, and whether it reads as zero since nobody has ever had it. No others
// are cached with it: they would be taken for used ones.
MMT_NOINLINE void* allocate_of_pages(SizeClass c, bool* zeroed) {
  Entry entry;
  Client* client = entry.client();
  *zeroed = false;
  if (client == nullptr) return allocate_direct(c);
  if (void* block = pop_exclusive(*client, c)) return block;
  return refill(*client, c, 1, zeroed);
}

// Apart, as below it a client may be attached, which takes much of the stack.
MMT_NOINLINE void put_away_direct(void* block, SizeClass c) {
  leave(runtime, Batch::of_blocks(c, &block, 1), DepotWait::kForever);
  runtime.notify();
  count_freed(kClasses[c].size);
}

void put_away(void* block, SizeClass c) {
  Entry entry;
  Client* client = entry.client();
  if (client == nullptr) return put_away_direct(block, c);
  if (push_exclusive(*client, c, block)) return;
  flush(*client, c);
  if (!push_exclusive(*client, c, block)) give_back(*client, c, &block, 1);
}

void deallocate_of_class(void* block, SizeClass c) {
  put_away(block, c);
  if (MMT_UNLIKELY(runtime.program_gives_back.load(std::memory_order_relaxed))) give_back_as_told();
}

// Of a span in which the program has changed pages.
MMT_COLD void deallocate_changed(void* block) {
  const native::Region& region = runtime.depot.region();
  if (renew_changed_block(block))
    deallocate_of_class(block, region.true_class_of(region.slot_of(block)));
  renew_changed_runs();
}

// Class of a block's slot, or one of the region's codes; kForeign outside the region.
uint8_t code_of(const void* block) {
  const native::Region& region = runtime.depot.region();
  return region.contains(block) ? region.true_class_of(region.slot_index(block)) : native::kForeign;
}

void* allocate_knowing(size_t bytes, bool* zeroed);

// A block that is to shrink stays where it is when there is no memory for a smaller one, or only a
// larger one serves.
void* copy_to(void* from, size_t old_bytes, size_t bytes) {
  const bool shrinks = bytes <= old_bytes;
  bool zeroed = false;
  void* to =
      !shrinks && old_bytes > sys::kPageSize ? allocate_knowing(bytes, &zeroed) : allocate(bytes);
  if (to == nullptr) return shrinks ? from : nullptr;
  if (shrinks && usable_size(to) >= old_bytes) {
    deallocate(to);
    return from;
  }
  if (zeroed)
    copy_to_zeroed(static_cast<char*>(to), static_cast<const char*>(from), old_bytes);
  else
    memcpy(to, from, shrinks ? bytes : old_bytes);
  deallocate(from);
  return to;
}

// A large block that the program may have changed, and that could not be moved: what cannot be read
// is not copied, and it stays as it is.
MMT_COLD void* copy_changed(void* from, size_t old_bytes, size_t bytes) {
  void* to = allocate(bytes);
  if (to == nullptr) return nullptr;
  if (!sys::copy_if_readable(to, from, std::min(old_bytes, bytes))) {
    deallocate(to);
    return nullptr;
  }
  deallocate(from);
  return to;
}

// Everything that is free but not in the depot goes there, as far as the calling thread can reach:
// its own caches and span, ended threads' clients, channels, returned blocks.
MMT_COLD void gather_to_depot(Entry& entry) {
  const uint32_t self = thread_id();
  if (Client* client = entry.client()) reclaim_client(runtime, self, *client);
  reclaim_zombies(runtime, self);
  const uint32_t count = runtime.clients.count();
  for (uint32_t i = 0; i < count; ++i)
    if (Client* client = runtime.clients.at(i)) read_surplus(runtime, self, *client);
  merge_resting(runtime, self, ~size_t{0});
  const DepotStep lock(self);
  runtime.depot.collect_large(lock, ~size_t{0});
  runtime.depot.put_singles(lock);
}

MMT_COLD void gather() {
  thread_state.may_gather = false;
  Entry entry;
  const sys::SignalsBlocked blocked;
  if (is_amid_depot_step(thread_id())) return;
  empty_cpu_caches(thread_id(), CpuCacheKind::kAll);
  gather_to_depot(entry);
  runtime.notify();
}

// attempt(), and once more with all that can be gathered when memory is short.
template <class Attempt>
void* allocate_gathering(Attempt&& attempt) {
  void* block = attempt();
  if (MMT_LIKELY(block != nullptr) || !runtime.is_open()) return block;
  gather();
  renew_changed_runs();
  return attempt();
}

// The same for a large block, which also gathers where the program wants memory kept and that lies
// free here and there only.
template <class Attempt>
void* allocate_large_gathering(Attempt&& attempt) {
  thread_state.may_gather = Purger::keeps_all();
  return allocate_gathering(attempt);
}

void* allocate_or_gather(SizeClass c) {
  return allocate_gathering([c] { return allocate_of_class(c); });
}

// Memory is short, and what is free is of other sizes: a block of up to four times the size.
MMT_COLD void* take_larger(SizeClass c) {
  if (!runtime.is_open()) return nullptr;
  Entry entry;
  const DepotGuard lock;
  if (!lock.held()) return nullptr;
  const size_t most = 4 * size_t{kClasses[c].size};
  for (++c; c < kClassCount && kClasses[c].size <= most; ++c) {
    if (void* block = take_block(runtime.depot, lock, c)) return block;
    if (void* block = take_poor_block(runtime.depot, lock, c)) return block;
  }
  return nullptr;
}

void* allocate_or_take_larger(SizeClass c) {
  void* block = allocate_or_gather(c);
  return MMT_LIKELY(block != nullptr) ? block : take_larger(c);
}

// Of more than a page.
void* allocate_knowing(size_t bytes, bool* zeroed) {
  *zeroed = false;
  if (bytes > native::kMaxClassSize)
    return allocate_large_gathering([=] { return allocate_large_for_copy(bytes, zeroed); });
  const SizeClass c = native::geometric_class(bytes);
  return pop_cached(current_fast, c, [=]() -> void* {
    void* block = allocate_gathering([=] { return allocate_of_pages(c, zeroed); });
    return MMT_LIKELY(block != nullptr) ? block : take_larger(c);
  });
}

MMT_NOINLINE void* allocate_zeroed_pages(size_t bytes) {
  if (bytes > native::kMaxClassSize)
    return allocate_large_gathering([bytes] { return allocate_large_zeroed(bytes); });
  bool zeroed = false;
  auto* const block = static_cast<char*>(allocate_knowing(bytes, &zeroed));
  if (block == nullptr || zeroed) return block;
  if (runtime.samples.is_dense(kind_of_class(native::geometric_class(bytes))))
    memset(block, 0, bytes);
  else
    clear_sparsely(block, bytes);
  return block;
}

void* allocate_large_or_gather(size_t bytes, size_t alignment) {
  return allocate_large_gathering([=] { return allocate_large(bytes, alignment); });
}

}  // namespace

void* allocate_slow(size_t bytes) {
  if (bytes <= native::kMaxSmallSize) return allocate_or_take_larger(native::stepped_class(bytes));
  if (bytes <= native::kMaxClassSize) {
    const SizeClass c = native::geometric_class(bytes);
    return pop_cached(current_fast, c, [c] { return allocate_or_take_larger(c); });
  }
  return allocate_large_or_gather(bytes, 1);
}

void* allocate_aligned(size_t bytes, size_t alignment) {
  if (alignment <= 16) return allocate(bytes);
  const SizeClass c = native::class_of_aligned_size(bytes, alignment);
  if (c == native::kNoClass) return allocate_large_or_gather(bytes, alignment);
  return pop_cached(current_fast, c, [c] { return allocate_or_gather(c); });
}

void* allocate_zeroed(size_t bytes) {
  if (bytes > sys::kPageSize) return allocate_zeroed_pages(bytes);
  void* block = allocate(bytes);
  if (block != nullptr) memset(block, 0, bytes);
  return block;
}

bool deallocate_slow(void* block) {
  const native::Region& region = runtime.depot.region();
  if (code_of(block) == native::kForeign) return deallocate_mapped(block);
  const uint8_t code = region.class_of(region.slot_of(block));
  if (code == native::kLargeHead)
    deallocate_large(block);
  else if (code == native::kChanged)
    deallocate_changed(block);
  else if (code != native::kNoClass && code < kClassCount)
    deallocate_of_class(block, code);
  return true;  // an address without a block is let go: checking is another mode's task
}

bool owns(const void* block) {
  return code_of(block) != native::kForeign || mapped_size(block) != 0;
}

size_t usable_size(const void* block) {
  const native::Region& region = runtime.depot.region();
  const uint8_t code = code_of(block);
  if (code == native::kForeign) return mapped_size(block);
  if (code == native::kNoClass) return 0;
  if (code < kClassCount) return kClasses[code].size;
  if (code != native::kLargeHead) return 0;
  return region.span(region.slot_of(block)).large_bytes;
}

void* reallocate(void* block, size_t bytes) {
  const uint8_t code = code_of(block);
  if (code == native::kLargeHead && reallocate_large(&block, bytes)) return block;
  if (code == native::kForeign) {
    if (is_mapping_unknown()) return nullptr;
    if (reallocate_mapped(&block, bytes)) return block;
  }
  const size_t old_bytes = usable_size(block);
  // What the program has done to a mapping of its own is not known.
  if (code == native::kForeign || (code == native::kLargeHead && is_changed(block)))
    return copy_changed(block, old_bytes, bytes);
  if (code == native::kLargeHead) return copy_to(block, old_bytes, bytes);
  // In place when the class is right, or a little too large.
  if (bytes <= old_bytes && bytes >= old_bytes / 2 + old_bytes / 4) return block;
  if (bytes <= old_bytes && bytes > 0 && native::class_of_size(bytes) == code) return block;
  return copy_to(block, old_bytes, bytes);
}

bool trim() {
  if (!open_runtime()) return false;
  gather();
  renew_changed_runs();
  return purge_all();
}

}  // namespace mmt::offload
