#pragma once
// What is wrong with a block of the pool is reported once for its place, which is then open, so
// that the program goes on. Any thread, any context.
#include <cstddef>

#include "guard/pool.h"
#include "harden/finding.h"

namespace mmt::guard {

// What a place tells of its block. The place is told, and so is the caller's alone.
harden::Finding about(harden::Fault fault, const char* text, Place place, const void* address,
                      const void* caller);

// An address that is no live block was freed, or resized.
void tell_of_wrong_call(const void* address, const void* caller);
// A block that is closing is damaged at this address, around it; it is told, and freed, then.
// nullptr stands for a caller when the program has not freed it.
void tell_of_damage(Place place, const char* at, const void* caller);
// Looks for damage around live blocks.
void look_at_live_blocks();

}  // namespace mmt::guard
