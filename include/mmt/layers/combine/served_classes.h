// Records for each size class up to which later class the blocks come back that a heap gave for it.
// Blocks that are larger than was asked for may come back as a later class. A request must look in
// those classes too, or such blocks would never be used again. The record is for one thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include <mmt/layers/combine/size_classes.h>

namespace mmt::layers {

template <SizeClasses Classes>
class ServedClasses {
 public:
  // A block of that size, at least Classes::size(c), was given for class c.
  void note(size_t c, size_t size) {
    if (size > Classes::kLargest) return;  // no class has it
    const size_t further = Classes::floor_of(size) - c;
    if (further > further_[c]) further_[c] = static_cast<uint16_t>(further);
  }
  // take(class) for each later class that blocks for c came back as, until one gives a block. Null:
  // none does.
  template <class Take>
  void* search(size_t c, Take take) const {
    for (size_t later = c + 1; later <= c + further_[c]; ++later) {
      if (void* block = take(later)) return block;
    }
    return nullptr;
  }

 private:
  static_assert(Classes::kCount <= UINT16_MAX, "ServedClasses: more classes than it counts");

  uint16_t further_[Classes::kCount] = {};
};

}  // namespace mmt::layers
