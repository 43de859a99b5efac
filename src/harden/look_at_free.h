#pragma once
// Looks at memory that is no block's: slots of no span, and blocks that were not handed out since
// their span was laid out. All that is zero, or what freed blocks have left. What else is there was
// written after it was freed. By any thread with a copy of its own (look.h).
#include <cstddef>

#include "harden/heap_copy.h"
#include "harden/object.h"
#include "heap/store/region.h"

namespace mmt::harden {

bool is_nobodys(store::Slot slot);
void look_at_nobodys(HeapCopy& copy, store::Slot slot);
// At the blocks of a span that have not been handed out.
void look_at_unused(HeapCopy& copy, store::Slot first);
// At what lies before a block of whole slots that the caller frees, where that is nobody's.
void look_before(Object object, const void* caller);

}  // namespace mmt::harden
