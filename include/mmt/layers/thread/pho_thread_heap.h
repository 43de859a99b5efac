// These are private heaps with ownership (the paper's PHOThreadHeap), kHeaps in all, 4096 at most.
// Each thread allocates in a heap of its own. A block goes back to the heap that it came from,
// whichever thread frees it. So memory does not pile up where it is freed, and any heap will do,
// also one that merges blocks.
//
// HeapStage is a private heap. All private heaps take memory from the super-heap, under a lock of
// its own, which is taken after that of a private heap. The word before a block tells its heap, and
// how far before it that heap's block begins. Any thread may call.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/adapt/ref_heap.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/thread/heap_array.h>
#include <mmt/layers/thread/locked_heap.h>

namespace mmt::layers {

template <size_t kHeaps, class HeapStage, class Lock, class Super>
class PHOThreadHeap : public LockedHeap<Lock, Super> {
  static_assert(!kIsOneSize<Super>, "PHOThreadHeap: its super-heap serves one size alone");
  static_assert(
      !kIsFreeingYounger<Super>,
      "PHOThreadHeap: its super-heap frees younger blocks with each, as ObstackHeap does");
  static_assert(Heap<Super>, "PHOThreadHeap: its super-heap has no malloc(size_t) and free(void*)");
  static_assert(kHeaps > 0 && kHeaps <= 4096, "PHOThreadHeap: kHeaps is no number of heaps");

  using Shared = LockedHeap<Lock, Super>;
  using Private = typename HeapStage::template Over<RefHeap<Shared>>;
  static_assert(Heap<Private>,
                "PHOThreadHeap: a private heap has no malloc(size_t) and free(void*)");
  static_assert(Private::kAlignment >= kBlockAlignment &&
                    (Private::kSkew == 0 || Private::kSkew == kBlockAlignment - sizeof(size_t)),
                "PHOThreadHeap: the blocks of a private heap are not aligned so that a header of 8 "
                "or 16 bytes can stand before an aligned block");

 public:
  static constexpr size_t kAlignment = kBlockAlignment;
  static constexpr size_t kSkew = 0;
  static constexpr bool kOneSize = kIsOneSize<Private>;
  static constexpr bool kContiguous = false;
  static constexpr bool kKeepsAll = false;
  static constexpr bool kSharedSizes = SizedHeap<Private>;
  static constexpr bool kSharedOwns = false;  // it takes locks

  constexpr PHOThreadHeap() : heaps_(*this) {}
  // It lies over a heap that refers to another, as RefHeap.
  template <class Target>
  requires std::constructible_from<Super, Target&>
  constexpr explicit PHOThreadHeap(Target& target) : Shared(target), heaps_(*this) {}
  PHOThreadHeap(const PHOThreadHeap&) = delete;
  PHOThreadHeap& operator=(const PHOThreadHeap&) = delete;

  void* malloc(size_t bytes) { return take(bytes, 0); }
  void free(void* block) { heaps_[heap_of(block)].free(base_within(block)); }
  // No other thread may be in the heap.
  void clear() requires ClearableHeap<Private> { heaps_.clear(); }
  Block allocate(size_t bytes, size_t alignment) requires(!kOneSize) {
    void* const block = take(bytes, alignment > kAlignment ? alignment : 0);
    if (block == nullptr) return {};
    if constexpr (SizedHeap<Private>) return {block, get_size(block)};
    return {block, bytes};
  }

  size_t get_size(const void* block) const requires SizedHeap<Private> {
    return heaps_[heap_of(block)].get_size(base_within(block)) - distance_of(block);
  }
  bool expand(void* block, size_t bytes) requires ResizableHeap<Private> {
    if (bytes > kMaxRequest - distance_of(block)) return false;
    return heaps_[heap_of(block)].expand(base_within(block), bytes + distance_of(block));
  }
  size_t good_size(size_t bytes) const requires GoodSizeHeap<Private> {
    if (bytes > kMaxRequest) return 0;
    const size_t good = heaps_[0].good_size((bytes == 0 ? 1 : bytes) + kHeader);
    return good == 0 ? 0 : good - kHeader;
  }
  bool owns(const void* address) const requires OwningHeap<Private> {
    for (size_t i = 0; i < kHeaps; ++i) {
      if (heaps_[i].owns(address)) return true;
    }
    return false;
  }
  // These blocks have none.
  void* remap(void* block, size_t bytes) = delete;
  static size_t size_word(const void* block) = delete;
  static void* base_of(void* block) = delete;
  static Block place_within(void* block, size_t alignment) = delete;
  void usage() = delete;

  void prepare_fork() requires ForkableLock<Lock> { heaps_.prepare_fork(*this); }
  void after_fork_in_parent() requires ForkableLock<Lock> { heaps_.after_fork_in_parent(*this); }
  void after_fork_in_child() requires ForkableLock<Lock> { heaps_.after_fork_in_child(*this); }

 private:
  using Heaps = HeapArray<kHeaps, LockedHeap<Lock, Private>, Shared>;
  static constexpr size_t kHeader = Private::kSkew == 0 ? kBlockAlignment : sizeof(size_t);
  static constexpr int kHeapBits = std::bit_width(kHeaps - 1);

  static size_t& word_of(const void* block) {
    return static_cast<size_t*>(const_cast<void*>(block))[-1];
  }
  static size_t heap_of(const void* block) {
    return word_of(block) & ((size_t{1} << kHeapBits) - 1);
  }
  static size_t distance_of(const void* block) { return word_of(block) >> kHeapBits; }
  static void* base_within(const void* block) {
    return static_cast<char*>(const_cast<void*>(block)) - distance_of(block);
  }

  // alignment: 0 for that of all blocks.
  void* take(size_t bytes, size_t alignment) {
    if (MMT_UNLIKELY(bytes > kMaxRequest || alignment > kMaxRequest - bytes)) return nullptr;
    const size_t heap = Heaps::index_of_thread();
    char* base =
        static_cast<char*>(heaps_[heap].malloc(bytes + (bytes == 0) + kHeader + alignment));
    if (MMT_UNLIKELY(base == nullptr)) return nullptr;
    size_t distance = kHeader;
    if (alignment != 0) {
      const auto begin = reinterpret_cast<uintptr_t>(base);
      distance = core::align_up(begin + kHeader, alignment) - begin;
    }
    void* const block = base + distance;
    word_of(block) = distance << kHeapBits | heap;
    return block;
  }

  Heaps heaps_;
};

template <size_t kHeaps, class HeapStage, class Lock = Mutex>
struct PHOThread {
  template <class Super>
  using Over = PHOThreadHeap<kHeaps, HeapStage, Lock, Super>;
};

}  // namespace mmt::layers
