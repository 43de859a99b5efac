#include "heap/thread/cpu_caches.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <mmt/core/checked.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/thread.h>

#include "heap/gates/arrive.h"
#include "heap/gates/leave.h"
#include "heap/object/cpu_cache.h"
#include "heap/object/depot_guard.h"
#include "heap/object/heap.h"
#include "heap/object/rseq.h"
#include "heap/object/thread_state.h"

namespace mmt::heap {
namespace {

// As many threads of a CPU can be preempted while they hold one.
constexpr uint32_t kCachesOfCpu = 4;
constexpr uint32_t kLeastCaches = 8;
// A depot lock that is not free by then has a holder that does not run.
constexpr uint32_t kDepotSpins = 100;
// These say what a cache may hold of one class, and what it is filled with.
constexpr size_t kMostOfClass = size_t{256} << 10;
constexpr uint32_t kMostBlocks = 512;
constexpr uint32_t kLeastBlocks = 4;
constexpr size_t kFill = size_t{16} << 10;

struct Layout {
  std::array<uint32_t, kClassCount + 1> first{};  // entry of a class

  constexpr Layout() {
    for (SizeClass c = 1; c < kClassCount; ++c) {
      const auto fits = static_cast<uint32_t>(kMostOfClass / kClasses[c].size);
      first[c + 1] = first[c] + std::clamp(fits, kLeastBlocks, kMostBlocks);
    }
  }
  constexpr uint32_t capacity(SizeClass c) const { return first[c + 1] - first[c]; }
  constexpr size_t bytes() const {
    return core::align_up(first[kClassCount] * sizeof(void*), sys::kPageSize);
  }
};

constexpr Layout kLayout{};

static_assert(kMostCpuCaches <= 64);

bool is_set(uint64_t bits, uint32_t i) { return (bits >> i & 1) != 0; }

uint32_t cache_count(Heap& heap) {
  return std::clamp(kCachesOfCpu * heap.cpus, kLeastCaches, kMostCpuCaches);
}

void** blocks_of(const CpuCache& cache, SizeClass c) { return cache.entries + kLayout.first[c]; }

void set_count(CpuCache& cache, SizeClass c, uint32_t count) {
  // Release: the entries are there before, in a fork's child too. cached_by_cpus reads it any time.
  __atomic_store_n(&cache.counts[c], count, __ATOMIC_RELEASE);
}

// After a holder that has not come to its end.
void count_bytes(CpuCache& cache) {
  cache.bytes = 0;
  for (SizeClass c = 1; c < kClassCount; ++c)
    cache.bytes += cache.counts[c] * size_t{kClasses[c].size};
}

// Whether there is room for its blocks.
bool has_entries(Heap& heap, CpuCache& cache) {
  if (cache.entries == nullptr)
    cache.entries = static_cast<void**>(heap.depot.budget().map_anywhere(kLayout.bytes()));
  return cache.entries != nullptr;
}

// Holds one cache while it lives, unless another thread has it.
class CacheGuard {
 public:
  CacheGuard(CpuCache& cache, uint32_t self)
      : cache_(cache.lock.try_lock(self) ? &cache : nullptr) {}
  // Takes a cache of the CPU's that was free and has room for blocks.
  CacheGuard(const Client& client, uint32_t self) : cache_(nullptr) {
    Heap& heap = *client.heap;
    const uint32_t count = cache_count(heap);
    const uint32_t cpu = cpu_of_thread(client.index);
    for (uint32_t i = 0; i < kCachesOfCpu && cache_ == nullptr; ++i) {
      CpuCache& cache = heap.cpu_caches[(cpu + i * (count / kCachesOfCpu)) % count];
      if (cache.lock.try_lock(self)) cache_ = &cache;
    }
    if (cache_ == nullptr) return;
    cache_->used = true;
    if (!has_entries(heap, *cache_)) release();
  }
  ~CacheGuard() {
    if (cache_ != nullptr) release();
  }
  // nullptr: it is not held.
  CpuCache* get() const { return cache_; }
  CacheGuard(const CacheGuard&) = delete;
  CacheGuard& operator=(const CacheGuard&) = delete;

 private:
  // By its owner's id as it is now: a handler may have forked.
  void release() {
    cache_->lock.unlock(cache_->lock.owner());
    cache_ = nullptr;
  }

  CpuCache* cache_;
};

// The lowest blocks of the depot, the lowest on top.
void fill(Heap& heap, CpuCache& cache, SizeClass c, uint32_t self) {
  const sys::SignalsBlocked blocked;
  void** const blocks = blocks_of(cache, c);
  const size_t size = kClasses[c].size;
  uint32_t count = 0;
  {
    const DepotStep lock(heap, self, kDepotSpins);
    if (!lock.held()) return;
    merge_some_resting(heap, lock);
    const uint32_t most = std::clamp(static_cast<uint32_t>(kFill / size), 1u, kLayout.capacity(c));
    for (; count < most; ++count)
      if ((blocks[count] = take_block(heap, lock, c)) == nullptr) break;
  }
  heap.notify();
  std::reverse(blocks, blocks + count);
  set_count(cache, c, count);
  cache.bytes += count * size;
}

void put_oldest(Heap& heap, LockToken lock, CpuCache& cache, SizeClass c, uint32_t count) {
  void** const blocks = blocks_of(cache, c);
  put(heap.depot, lock, Batch::of_blocks(c, blocks, count));
  const uint32_t left = cache.counts[c] - count;
  memmove(blocks, blocks + count, left * sizeof(void*));
  set_count(cache, c, left);
  cache.bytes -= count * size_t{kClasses[c].size};
}

// The class that has most bytes in the cache.
SizeClass largest_class(const CpuCache& cache) {
  SizeClass largest = 1;
  for (SizeClass c = 2; c < kClassCount; ++c)
    if (cache.counts[c] * size_t{kClasses[c].size} >
        cache.counts[largest] * size_t{kClasses[largest].size})
      largest = c;
  return largest;
}

// False: the depot was busy.
bool make_room(Heap& heap, CpuCache& cache, SizeClass c, uint32_t self) {
  const sys::SignalsBlocked blocked;
  {
    const DepotStep lock(heap, self, kDepotSpins);
    if (!lock.held()) return false;
    put_oldest(heap, lock, cache, c, (cache.counts[c] + 1) / 2);
  }
  heap.notify();
  return true;
}

void empty(Heap& heap, CpuCache& cache, uint32_t self) {
  for (SizeClass c = 1; c < kClassCount; ++c) {
    if (cache.counts[c] == 0) continue;
    const DepotStep lock(heap, self);
    put_oldest(heap, lock, cache, c, cache.counts[c]);
  }
}

}  // namespace

uint32_t take_from_cpu(const Client& client, SizeClass c, void** blocks, uint32_t most) {
  const uint32_t self = thread_id();
  const CacheGuard guard(client, self);
  CpuCache* const cache = guard.get();
  if (cache == nullptr) return 0;
  if (cache->counts[c] == 0) fill(*client.heap, *cache, c, self);
  const uint32_t count = std::min(cache->counts[c], most);
  const uint32_t left = cache->counts[c] - count;
  void** const from = blocks_of(*cache, c) + left;
  std::reverse_copy(from, from + count, blocks);
  set_count(*cache, c, left);
  cache->bytes -= count * size_t{kClasses[c].size};
  return count;
}

size_t leave_to_cpu(const Client& client, SizeClass c, void* const* blocks, size_t count) {
  Heap& heap = *client.heap;
  const uint32_t self = thread_id();
  const CacheGuard guard(client, self);
  CpuCache* const cache = guard.get();
  if (cache == nullptr) return 0;
  const size_t size = kClasses[c].size;
  size_t done = 0;
  while (done < count) {
    const uint32_t held = cache->counts[c];
    if (held == kLayout.capacity(c)) {
      if (!make_room(heap, *cache, c, self)) break;
      continue;
    }
    if (cache->bytes + size > kMostInCpuCache) {
      if (!make_room(heap, *cache, largest_class(*cache), self)) break;
      continue;
    }
    const size_t some = std::min({count - done, size_t{kLayout.capacity(c) - held},
                                  (kMostInCpuCache - cache->bytes) / size});
    memcpy(blocks_of(*cache, c) + held, blocks + done, some * sizeof(void*));
    set_count(*cache, c, held + static_cast<uint32_t>(some));
    cache->bytes += some * size;
    done += some;
  }
  return done;
}

bool empty_cpu_caches(Heap& heap, uint32_t self, CpuCacheKind kind) {
  // Relaxed: a manner, not an order.
  const bool all = kind == CpuCacheKind::kAll || !heap.thrifty.load(std::memory_order_relaxed);
  bool none_left = true;
  for (uint32_t i = 0; i < cache_count(heap); ++i) {
    CpuCache& cache = heap.cpu_caches[i];
    const CacheGuard guard(cache, self);
    if (guard.get() == nullptr) {
      none_left = false;
      continue;
    }
    if (all || !cache.used)
      empty(heap, cache, self);
    else
      none_left &= cache.bytes == 0;
    cache.used = false;
  }
  return none_left;
}

size_t cpu_cache_bytes() { return kLayout.bytes(); }

size_t cached_by_cpus(Heap& heap, SizeClass c) {
  size_t count = 0;
  for (uint32_t i = 0; i < cache_count(heap); ++i)
    count += __atomic_load_n(&heap.cpu_caches[i].counts[c], __ATOMIC_RELAXED);
  return count;
}

void recover_cpu_caches(Heap& heap, uint32_t self) {
  const uint64_t for_fork = heap.depot.lock().held_by(self) ? heap.caches_held_for_fork : 0;
  for (uint32_t i = 0; i < cache_count(heap); ++i) {
    CpuCache& cache = heap.cpu_caches[i];
    if (!cache.lock.held_by(self) || is_set(for_fork, i)) continue;
    count_bytes(cache);
    cache.lock.unlock(self);
  }
}

void hold_cpu_caches(Heap& heap, uint32_t self) {
  for (uint32_t i = 0; i < cache_count(heap); ++i)
    if (heap.cpu_caches[i].lock.try_lock(self)) heap.caches_held_for_fork |= uint64_t{1} << i;
}

void release_cpu_caches(Heap& heap, uint32_t self) {
  for (uint32_t i = 0; i < cache_count(heap); ++i)
    if (is_set(heap.caches_held_for_fork, i)) heap.cpu_caches[i].lock.unlock(self);
  heap.caches_held_for_fork = 0;
}

void reset_cpu_caches_in_child(Heap& heap, uint32_t self, uint32_t before) {
  for (uint32_t i = 0; i < kMostCpuCaches; ++i) {
    CpuCache& cache = heap.cpu_caches[i];
    const bool interrupted = !is_set(heap.caches_held_for_fork, i) && cache.lock.held_by(before);
    if (!interrupted) count_bytes(cache);
    cache.lock.reset_in_child(interrupted ? self : 0);
  }
  heap.caches_held_for_fork = 0;
}

}  // namespace mmt::heap
