// Blocks are of whole granules: stretches of kGranule bytes at multiples of that. So a block's
// beginning is found from any address within its first granule. Single granules are cut off
// batches, and kept for reuse. Blocks of several granules come from the super-heap and go back
// there. A call of owns() takes no lock. Any thread may call the heap; the super-heap is called
// under the lock. The size of a granule is a power of two of at least a page.
#pragma once

#include <cstdint>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/general/hoard/fork_lock.h>
#include <mmt/layers/general/hoard/granule_cache.h>
#include <mmt/layers/general/hoard/granule_map.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/source/system_pages.h>
#include <mmt/layers/thread/mutex.h>
#include <mmt/layers/usage.h>

namespace mmt::layers {

template <size_t kBytes, HeapLock Lock, class Pages, class Super>
class GranuleHeap : public Super {
  static_assert(AligningHeap<Super>,
                "GranuleHeap: its super-heap has no allocate(size, alignment); take MmapHeap");

 public:
  static constexpr size_t kGranule = kBytes;
  static constexpr size_t kAlignment = kGranule;
  static constexpr size_t kSkew = 0;
  static constexpr bool kSharedSizes = true;
  static constexpr bool kSharedOwns = true;
  static constexpr bool kOneSize = false;
  static constexpr bool kContiguous = false;
  static constexpr bool kKeepsAll = false;

  using Super::Super;
  constexpr GranuleHeap() = default;
  ~GranuleHeap() { release_all(); }

  void* malloc(size_t bytes) { return allocate(bytes, kGranule).data; }
  Block allocate(size_t bytes, size_t alignment) {
    if (bytes > kMaxRequest - kGranule || alignment > kMaxRequest - kGranule - bytes) return {};
    const size_t granules = bytes <= kGranule ? 1 : core::ceil_div(bytes, kGranule);
    const ScopedLock held(lock_);
    const bool is_single = granules == 1 && alignment <= kGranule;
    void* const block = is_single ? take_single() : take(granules, alignment, kFirst);
    return block == nullptr ? Block{} : Block{block, granules * kGranule};
  }
  void free(void* block) {
    const ScopedLock held(lock_);
    if (map_.of(block) != (kFirst | kStart)) return cache_.push(block);
    const size_t granules = get_size(block) / kGranule;
    map_.set(block, granules, 0);
    large_bytes_ -= granules * kGranule;
    --large_blocks_;
    Super::free(block);
  }
  void free(void* block, size_t bytes) = delete;

  // It takes a walk over its granules.
  size_t get_size(const void* block) const {
    const char* end = static_cast<const char*>(block) + kGranule;
    while (map_.of(end) == kFollow) end += kGranule;
    return static_cast<size_t>(end - static_cast<const char*>(block));
  }
  // The beginning of the block of several granules in which an address lies.
  char* block_around(const void* address) const {
    auto* begin =
        reinterpret_cast<char*>(core::align_down(reinterpret_cast<uintptr_t>(address), kGranule));
    while (map_.of(begin) == kFollow) begin -= kGranule;
    return begin;
  }
  size_t good_size(size_t bytes) const {
    if (bytes > kMaxRequest - kGranule) return 0;
    return core::align_up(bytes == 0 ? 1 : bytes, kGranule);
  }
  MMT_ALWAYS_INLINE bool owns(const void* address) const { return map_.of(address) != 0; }
  bool expand(void* block, size_t bytes) { return bytes <= get_size(block); }
  void* remap(void* block, size_t bytes) = delete;

  // One thread alone may call it.
  void clear() {
    release_all();
    cache_.forget();
    next_ = end_ = nullptr;
    single_bytes_ = large_bytes_ = large_blocks_ = 0;
  }
  // Gives back the memory of those that are free. False: they have none.
  bool trim() {
    const ScopedLock held(lock_);
    return cache_.empty_all();
  }
  Usage usage() {
    const ScopedLock held(lock_);
    const size_t uncut = static_cast<size_t>(end_ - next_);
    Usage all;
    all.system_bytes = single_bytes_;
    all.free_bytes = cache_.count() * kGranule + uncut;
    all.free_blocks = cache_.count() + uncut / kGranule;
    all.mapped_bytes = large_bytes_;
    all.mapped_blocks = large_blocks_;
    return all;
  }

  void prepare_fork() { lock_.prepare_fork(); }
  void after_fork_in_parent() { lock_.after_fork_in_parent(); }
  void after_fork_in_child() { lock_.after_fork_in_child(); }

 private:
  // About 1 MiB at a time; as many are kept for reuse with their memory.
  static constexpr size_t kBatch = kGranule < size_t{1} << 20 ? (size_t{1} << 20) / kGranule : 1;

  // These are the kinds of a granule. kStart says that a block of the super-heap begins here.
  static constexpr uint8_t kSingle = 1;
  static constexpr uint8_t kFirst = 2;
  static constexpr uint8_t kFollow = 3;
  static constexpr uint8_t kStart = 4;

  void* take(size_t granules, size_t alignment, uint8_t kind) {
    void* const memory =
        Super::allocate(granules * kGranule, alignment < kGranule ? kGranule : alignment).data;
    if (memory == nullptr) return nullptr;
    if (!map_.prepare(memory, granules)) {
      Super::free(memory);
      return nullptr;
    }
    // The order matters: a thread that walks to the end of the block before must never find a
    // granule that follows.
    map_.set(memory, 1, kind | kStart);
    map_.set(static_cast<char*>(memory) + kGranule, granules - 1, kind == kFirst ? kFollow : kind);
    if (kind == kFirst) {
      large_bytes_ += granules * kGranule;
      ++large_blocks_;
    } else {
      single_bytes_ += granules * kGranule;
    }
    return memory;
  }
  void* take_single() {
    if (void* const granule = cache_.pop()) return granule;
    if (next_ == end_ && !add_batch(kBatch) && !add_batch(1)) return nullptr;
    char* const granule = next_;
    next_ += kGranule;
    return granule;
  }
  bool add_batch(size_t granules) {
    auto* const batch = static_cast<char*>(take(granules, kGranule, kSingle));
    if (batch == nullptr) return false;
    next_ = batch;
    end_ = batch + granules * kGranule;
    return true;
  }
  void release_all() {
    map_.for_each([&](char* begin, uint8_t kind) {
      map_.set(begin, 1, 0);
      if ((kind & kStart) != 0) Super::free(begin);
    });
  }

  LastingLock<Lock> lock_;
  GranuleMap<kGranule> map_;
  GranuleCache<kGranule, kBatch, Pages> cache_;
  char* next_ = nullptr;  // of the batch that is being cut up
  char* end_ = nullptr;
  size_t single_bytes_ = 0;
  size_t large_bytes_ = 0;
  size_t large_blocks_ = 0;
};

template <size_t kBytes, HeapLock Lock = Mutex, class Pages = SystemPages>
struct Granules {
  template <class Super>
  using Over = GranuleHeap<kBytes, Lock, Pages, Super>;
};

}  // namespace mmt::layers
