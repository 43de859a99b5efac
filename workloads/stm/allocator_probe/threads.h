// This tells where an allocator puts the blocks of two threads that allocate in turn, as in Figure
// 2 of the paper. Thread 1 takes a block, thread 2 one, thread 1 the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmt::workloads::stm {

struct InTurn {
  std::vector<uintptr_t> first, second;  // of each thread, in the order of allocation
  size_t mapped = 0;                     // address space that the second thread's first block took
};
// The blocks are the caller's; a probe leaves them, since where the next ones lie depends on them.
InTurn blocks_in_turn(size_t bytes, size_t count);

// Blocks of the first thread that lie in a unit of 2^log2 bytes with one of the second.
size_t shared_units(const InTurn& of, unsigned log2);

// This is the part of blocks of the same number that are false conflicts by alias. They have the
// same place in a table of 2^log2_orecs stripes of 2^shift bytes, but lie in another stripe.
double aliasing(const InTurn& of, unsigned shift, unsigned log2_orecs);

// The largest power of two that divides the distance of the threads' first blocks.
uint64_t alignment_between(const InTurn& of);

}  // namespace mmt::workloads::stm
