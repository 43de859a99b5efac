#pragma once
// Whole stacks, by numbers of 16 bits, where the settings keep them (`debug`). Stacks with equal
// inner frames share a number. Where no place is free for one, it goes without. Any thread, any
// context; lock-free but for capture.h.
#include <cstddef>
#include <cstdint>

#include "harden/sites.h"
#include "harden/stack.h"
#include "heap/store/budget.h"

namespace mmt::harden {

class Stacks {
 public:
  // Before the first stack. Without memory, none is kept.
  void open(store::Budget& budget);
  // For a call that is made from `caller` now.
  Site number_of(const void* caller);
  // Its frames; none where the number stands for no stack.
  Stack stack_of(Site site) const;

 private:
  static constexpr size_t kCount = size_t{1} << 16;
  static constexpr size_t kNeighbours = 16;

  struct Place {
    uint64_t key;    // 0: it is free
    uint32_t count;  // 0: it is being written
    const void* frames[Stack::kMost];
  };

  static void write(Place* place, const Stack& stack);

  Place* places_ = nullptr;
};

extern Stacks stacks;

}  // namespace mmt::harden
