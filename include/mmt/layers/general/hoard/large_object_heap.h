// Each large block has granules of its own, and its size lies before it. The header is the first
// thing in the granules, so it is found from a block that lies in the first of them. A block may
// begin a later granule, for the sake of its alignment. The map of granules then finds the header.
// Any thread may call.
#pragma once

#include <cstdint>
#include <new>

#include <mmt/core/compiler.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/pipe.h>

namespace mmt::layers {

// What granules in use begin with.
struct GranuleHead {
  bool is_large;
};

template <class H>
concept GranulesHeap = Heap<H> && requires(const H& heap, const void* address) {
  { H::kGranule } -> std::convertible_to<size_t>;
  { heap.block_around(address) } -> std::same_as<char*>;
};

// Beside blocks, a layer gives single granules.
template <class H>
concept GranuleGivingHeap = GranulesHeap<H> && requires(H& heap, void* address) {
  { heap.take_granule() } -> std::same_as<void*>;
  heap.give_granule(address);
  { H::head_of(address) } -> std::same_as<GranuleHead*>;
};

template <class Super>
class LargeObjectHeap : public Super {
  static_assert(GranulesHeap<Super>,
                "LargeObjectHeap: its super-heap deals in no granules; put Granules below it");

 public:
  static constexpr size_t kAlignment = kBlockAlignment;
  using Super::kGranule;

  using Super::Super;

  void* malloc(size_t bytes) { return allocate(bytes, kBlockAlignment).data; }
  Block allocate(size_t bytes, size_t alignment) {
    const size_t before = alignment < sizeof(Header) ? sizeof(Header) : alignment;
    if (bytes > kMaxRequest || before > kMaxRequest - bytes) return {};
    // A byte at least, so that the block lies in its granules.
    const Block memory = Super::allocate(before + (bytes == 0 ? 1 : bytes), alignment);
    if (memory.data == nullptr) return {};
    ::new (memory.data) Header{{true}, memory.size};
    return {static_cast<char*>(memory.data) + before, memory.size - before};
  }
  void free(void* block) { Super::free(base_of(block)); }

  size_t get_size(const void* block) const {
    char* const base = base_of(block);
    return reinterpret_cast<const Header*>(base)->bytes -
           static_cast<size_t>(static_cast<const char*>(block) - base);
  }
  size_t good_size(size_t bytes) const {
    if (bytes > kMaxRequest) return 0;
    const size_t size = Super::good_size(bytes + sizeof(Header));
    return size == 0 ? 0 : size - sizeof(Header);
  }
  bool expand(void* block, size_t bytes) { return bytes <= get_size(block); }

  // A single granule, for other use; it must begin with a GranuleHead.
  void* take_granule() { return Super::malloc(kGranule); }
  void give_granule(void* granule) { Super::free(granule); }

  // What the granule begins with in which a block lies. Null: it begins with the block.
  static MMT_ALWAYS_INLINE GranuleHead* head_of(const void* block) {
    const auto address = reinterpret_cast<uintptr_t>(block);
    if (MMT_UNLIKELY(address % kGranule == 0)) return nullptr;
    return reinterpret_cast<GranuleHead*>(address - address % kGranule);
  }

 private:
  struct alignas(64) Header : GranuleHead {
    size_t bytes;  // with the header
  };

  char* base_of(const void* block) const {
    if (GranuleHead* const head = head_of(block)) return reinterpret_cast<char*>(head);
    return Super::block_around(block);
  }
};

using LargeObjects = Stage<LargeObjectHeap>;

}  // namespace mmt::layers
