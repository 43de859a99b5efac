#pragma once
// A large block that was just taken, and which parts of it read as zero. Pages that lie free
// elsewhere are moved to those that hold no memory; what is left is sampled, and told as growth. A
// program's thread calls these, in any context.
#include <cstddef>

#include "heap/object/heap.h"
#include "heap/store/clean_parts.h"

namespace mmt::heap {

struct Taken {
  void* block = nullptr;
  bool fresh = false;       // nobody has had it: it lay beyond the frontier
  store::CleanParts clean;  // what of it reads as zero
};

// The result is in bytes.
size_t clean_bytes(const Taken& taken);

// Sees to memory for what of a block of `bytes` holds none. False: the block was lost, and is to be
// abandoned.
bool prepare_taken(Heap& heap, Taken& taken, size_t bytes);

}  // namespace mmt::heap
