#pragma once
// How much of the heap is resident, asked of the kernel page by page: for diagnosis, some
// milliseconds a GiB.
#include <cstddef>
#include <cstdint>

namespace mmt::heap {
struct Heap;
}  // namespace mmt::heap

namespace mmt::observe {

// Bytes of the heap's mappings that are in memory. They are those of the region up to its frontier
// or what lies prepared, and of its tables. Blocks with mappings of their own, clients, and caches
// of CPUs count too. `self` is the caller's identity for the depot lock, its signals are blocked. A
// closed heap has none.
size_t resident_bytes(heap::Heap& heap, uint32_t self);

}  // namespace mmt::observe
