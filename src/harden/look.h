#pragma once
// A look at memory that other threads may use meanwhile, for what was written to it by mistake. It
// takes nothing and locks nothing, and reads copies alone. What it finds may be a block that
// another thread takes just then, so a finding has to hold for several looks. By any thread with a
// copy of its own.
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>

#include "harden/heap_copy.h"
#include "harden/object.h"

namespace mmt::harden {

// A block may go through a whole life between two looks, and be in use at each. So often in a row
// that is as good as impossible.
inline constexpr int kLooks = 16;
inline void pause_between_looks() {
  for (int i = 0; i < 100; ++i) core::cpu_relax();
}

// At a block of the region, live or freed. `end`: what lies up to there is looked at next.
void look_at(HeapCopy& copy, Object object, const char* end);

}  // namespace mmt::harden
