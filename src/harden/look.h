#pragma once
// A look at memory that other threads may use meanwhile, for what was written to it by mistake. It
// takes nothing and locks nothing, and reads copies alone. What it finds may be a block that
// another thread takes just then, so a finding has to hold for several looks. By any thread with a
// copy of its own.
#include <cstddef>
#include <cstdint>

#include "harden/heap_copy.h"
#include "harden/object.h"

namespace mmt::harden {

// At a block of the region, live or freed. `end`: what lies up to there is looked at next.
void look_at(HeapCopy& copy, Object object, const char* end);
// At a slot that belongs to no block.
void look_at_nobodys(HeapCopy& copy, store::Slot slot);
bool is_nobodys(store::Slot slot);
// At what lies before a block of whole slots that the caller frees, where that is nobody's.
void look_before(Object object, const void* caller);

// Until all that others have found is told, too, or for some time.
void wait_for_tellers();

}  // namespace mmt::harden
