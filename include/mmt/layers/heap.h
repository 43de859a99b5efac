// A heap layer is a class template over its super-heap, from which it inherits, so that composing
// layers costs nothing. Source: Berger, Zorn, McKinley, Composing High-Performance Memory
// Allocators, PLDI 2001. Rules that every layer keeps:
//   1. malloc gives a block of at least that many bytes (0 counts as the least there is), or null,
//      and then nothing has changed. Null from the super-heap is passed on; sizes never wrap
//      around.
//   2. free takes a block that this very heap gave out, once; never null.
//   3. Destructors give back all memory that the layer holds, whether or not blocks are in use.
//   4. A heap is neither copied nor moved, and not thread-safe unless its layer says so.
//   5. What a layer inherits must stay true above it, or it says otherwise (`= delete`).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace mmt::layers {

// What malloc guarantees: fit for any type.
inline constexpr size_t kBlockAlignment = alignof(std::max_align_t);

// No larger request is ever served, so that pointer differences do not overflow and adding a few
// headers to a size cannot wrap around.
inline constexpr size_t kMaxRequest = static_cast<size_t>(PTRDIFF_MAX) - (size_t{1} << 20);

// A block and how many bytes of it may be used. No block: both are null.
struct Block {
  void* data = nullptr;
  size_t size = 0;
};

// The address of every block is kSkew modulo kAlignment, a power of two; kSkew is 0 almost always.
template <class H>
concept Heap = requires(H& heap, void* block, size_t bytes) {
  { heap.malloc(bytes) } -> std::same_as<void*>;
  heap.free(block);
  { H::kAlignment } -> std::convertible_to<size_t>;
  { H::kSkew } -> std::convertible_to<size_t>;
};

// Blocks are fit for any type.
template <class H>
concept FullyAlignedHeap = Heap<H> && H::kAlignment >= kBlockAlignment&& H::kSkew == 0;

// --- what a heap may offer besides; a layer that needs it asks by these names ---

// Bytes that may be used of a block, at least those asked for.
template <class H>
concept SizedHeap = Heap<H> && requires(H& heap, const void* block) {
  { heap.get_size(block) } -> std::same_as<size_t>;
};

// free with the size that malloc was asked for, which spares the heap from finding it out.
template <class H>
concept SizedFreeHeap = Heap<H> && requires(H& heap, void* block, size_t bytes) {
  heap.free(block, bytes);
};

// Whether an address lies in memory of this heap: not, whether it is a live block.
template <class H>
concept OwningHeap = Heap<H> && requires(H& heap, const void* address) {
  { heap.owns(address) } -> std::same_as<bool>;
};

// Lets at least so many bytes of a block be used, where it lies. False: it stays as it was. Never
// makes a block smaller.
template <class H>
concept ResizableHeap = Heap<H> && requires(H& heap, void* block, size_t bytes) {
  { heap.expand(block, bytes) } -> std::same_as<bool>;
};

// The size that a block for so many bytes would have; 0 where no block can be had.
template <class H>
concept GoodSizeHeap = Heap<H> && requires(H& heap, size_t bytes) {
  { heap.good_size(bytes) } -> std::same_as<size_t>;
};

// Ends the life of every block at once.
template <class H>
concept ClearableHeap = Heap<H> && requires(H& heap) {
  heap.clear();
};

// Blocks of any alignment, a power of two, with their real size. free and all the rest take them.
template <class H>
concept AligningHeap = Heap<H> && requires(H& heap, size_t bytes, size_t alignment) {
  { heap.allocate(bytes, alignment) } -> std::same_as<Block>;
};

// All requests must be for the same number of bytes, that of the first: `kOneSize = true`.
template <class H>
inline constexpr bool kIsOneSize = false;
template <class H>
requires requires { H::kOneSize; }
inline constexpr bool kIsOneSize<H> = H::kOneSize;

// free() of a block ends the blocks that are younger, too: `kFreesYounger = true`. Nothing that
// keeps freed blocks, or frees one while a younger one lives, can stand above.
template <class H>
inline constexpr bool kIsFreeingYounger = false;
template <class H>
requires requires { H::kFreesYounger; }
inline constexpr bool kIsFreeingYounger<H> = H::kFreesYounger;

// get_size() may be called for a live block while other threads are in malloc and free:
// `kSharedSizes = true`.
template <class H>
inline constexpr bool kHasSharedSizes = false;
template <class H>
requires requires { H::kSharedSizes; }
inline constexpr bool kHasSharedSizes<H> = H::kSharedSizes;

// owns() may be called for any address while other threads are in malloc and free, and takes no
// lock: `kSharedOwns = true`.
template <class H>
inline constexpr bool kHasSharedOwns = false;
template <class H>
requires requires { H::kSharedOwns; }
inline constexpr bool kHasSharedOwns<H> = H::kSharedOwns;

// What is freed stays until it is asked for again or the heap ends: nothing goes to the super-heap
// before. `kKeepsAll = true`.
template <class H>
inline constexpr bool kIsKeepingAll = false;
template <class H>
requires requires { H::kKeepsAll; }
inline constexpr bool kIsKeepingAll<H> = H::kKeepsAll;

// Blocks follow one another without a gap, unless a stranger comes between: `kContiguous = true`.
template <class H>
inline constexpr bool kIsContiguous = false;
template <class H>
requires requires { H::kContiguous; }
inline constexpr bool kIsContiguous<H> = H::kContiguous;

}  // namespace mmt::layers
