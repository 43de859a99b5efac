#pragma once
// Each very large block has a mapping of its own, outside the region, where the kernel likes. The
// cost of such a block does not grow with its size. The system limits their number, and freeing one
// gives all of it back at once. Any thread may call these in any context, as in large_blocks.h.
#include <cstddef>
#include <cstdint>

namespace mmt::heap {

struct Heap;

// Blocks are mapped from this size on, and with this alignment. Below, memory that lies free in the
// region serves again without page faults.
inline constexpr size_t kMappedBytes = size_t{256} << 20;

// One that reads as zero; `alignment` is a power of two. nullptr when memory is short.
void* allocate_mapped(Heap& heap, size_t bytes, size_t alignment);
// False, and nothing done: `block` is none of these.
bool deallocate_mapped(Heap& heap, void* block);
// Where blocks are inspected: those that rest until then are, and go. The caller has blocked
// signals.
void inspect_mapped(Heap& heap, uint32_t self);
bool has_uninspected_mapped(Heap& heap);
// What may be used of it; 0: it is none of these.
size_t mapped_size(Heap& heap, const void* block);
// Whether a block is one of these cannot be known now: the calling thread runs a handler that
// interrupted it where it noted one.
bool is_mapping_unknown(Heap& heap);
// Resizes one; *block is its place then. False: it is as it was, and has to be copied.
bool reallocate_mapped(Heap& heap, void** block, size_t bytes);
// Makes a block of `bytes` of the `extent` bytes of memory at `from`, which is no longer mapped
// then. The caller has its signals blocked. nullptr: nothing has changed.
void* move_to_mapping(Heap& heap, void* from, size_t extent, size_t bytes);

}  // namespace mmt::heap
