// Blocks of whole granules: stretches of kGranule bytes at multiples of that, so that from any
// address within the first granule of a block its beginning is found. Single ones are cut off
// batches and kept for reuse, with their memory given back beyond kKept of them; blocks of several
// come from the super-heap and go back there. owns() takes no lock. Any thread; the super-heap is
// called under the lock.
#pragma once

#include <sys/mman.h>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/general/hoard/fork_lock.h>
#include <mmt/layers/general/hoard/granule_map.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/thread/mutex.h>
#include <mmt/layers/usage.h>

namespace mmt::layers {

template <size_t kBytes, HeapLock Lock, class Super>
class GranuleHeap : public Super {
  static_assert(AligningHeap<Super>,
                "GranuleHeap: its super-heap has no allocate(size, alignment); take MmapHeap");

 public:
  static constexpr size_t kGranule = kBytes;
  static constexpr size_t kAlignment = kGranule;
  static constexpr size_t kSkew = 0;
  static constexpr bool kSharedSizes = true;
  static constexpr bool kOneSize = false;
  static constexpr bool kContiguous = false;
  static constexpr bool kKeepsAll = false;
  static constexpr size_t kBatch =
      (size_t{1} << 20) / kGranule < 2 ? 2 : (size_t{1} << 20) / kGranule;
  static constexpr size_t kKept = kBatch;

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
    if (map_.of(block) != (kFirst | kStart)) return keep_single(block);
    const size_t granules = get_size(block) / kGranule;
    map_.set(block, granules, 0);
    large_bytes_ -= granules * kGranule;
    --large_blocks_;
    Super::free(block);
  }
  void free(void* block, size_t bytes) = delete;

  // A walk over its granules.
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

  // By one thread alone.
  void clear() {
    release_all();
    kept_ = empty_ = nullptr;
    kept_count_ = empty_count_ = 0;
    next_ = end_ = nullptr;
    single_bytes_ = large_bytes_ = large_blocks_ = 0;
  }
  // Gives back the memory of those that are free. False: there are none.
  bool trim() {
    const ScopedLock held(lock_);
    if (kept_ == nullptr) return false;
    while (kept_ != nullptr) add_empty(pop(kept_));
    kept_count_ = 0;
    return true;
  }
  Usage usage() {
    const ScopedLock held(lock_);
    const size_t uncut = static_cast<size_t>(end_ - next_);
    Usage all;
    all.system_bytes = single_bytes_;
    all.free_bytes = (kept_count_ + empty_count_) * kGranule + uncut;
    all.free_blocks = kept_count_ + empty_count_ + uncut / kGranule;
    all.mapped_bytes = large_bytes_;
    all.mapped_blocks = large_blocks_;
    return all;
  }

  void prepare_fork() { lock_.prepare_fork(); }
  void after_fork_in_parent() { lock_.after_fork_in_parent(); }
  void after_fork_in_child() { lock_.after_fork_in_child(); }

 private:
  // Of a granule; kStart: a block of the super-heap begins here.
  static constexpr uint8_t kSingle = 1;
  static constexpr uint8_t kFirst = 2;
  static constexpr uint8_t kFollow = 3;
  static constexpr uint8_t kStart = 4;

  struct Node {
    Node* next;
  };
  static void* pop(Node*& list) {
    Node* const node = list;
    list = node->next;
    return node;
  }
  static void push(Node*& list, void* granule) {
    auto* const node = static_cast<Node*>(granule);
    node->next = list;
    list = node;
  }

  void* take(size_t granules, size_t alignment, uint8_t kind) {
    void* const memory =
        Super::allocate(granules * kGranule, alignment < kGranule ? kGranule : alignment).data;
    if (memory == nullptr) return nullptr;
    if (!map_.prepare(memory, granules)) {
      Super::free(memory);
      return nullptr;
    }
    map_.set(memory, granules, kind == kFirst ? kFollow : kind);
    map_.set(memory, 1, kind | kStart);
    if (kind == kFirst) {
      large_bytes_ += granules * kGranule;
      ++large_blocks_;
    } else {
      single_bytes_ += granules * kGranule;
    }
    return memory;
  }
  void* take_single() {
    if (kept_ != nullptr) {
      --kept_count_;
      return pop(kept_);
    }
    if (empty_ != nullptr) {
      --empty_count_;
      return pop(empty_);
    }
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
  void keep_single(void* granule) {
    if (kept_count_ == kKept) return add_empty(granule);
    push(kept_, granule);
    ++kept_count_;
  }
  // All but the page with the link.
  void add_empty(void* granule) {
    constexpr size_t kPage = 4096;
    if (kGranule > kPage) {
      ::madvise(static_cast<char*>(granule) + kPage, kGranule - kPage, MADV_DONTNEED);
    }
    push(empty_, granule);
    ++empty_count_;
  }
  void release_all() {
    map_.for_each([&](char* begin, uint8_t kind) {
      map_.set(begin, 1, 0);
      if ((kind & kStart) != 0) Super::free(begin);
    });
  }

  ForkLock<Lock> lock_;
  GranuleMap<kGranule> map_;
  Node* kept_ = nullptr;
  Node* empty_ = nullptr;  // without memory
  size_t kept_count_ = 0;
  size_t empty_count_ = 0;
  char* next_ = nullptr;  // of the batch that is being cut up
  char* end_ = nullptr;
  size_t single_bytes_ = 0;
  size_t large_bytes_ = 0;
  size_t large_blocks_ = 0;
};

template <size_t kBytes, HeapLock Lock = Mutex>
struct Granules {
  template <class Super>
  using Over = GranuleHeap<kBytes, Lock, Super>;
};

}  // namespace mmt::layers
