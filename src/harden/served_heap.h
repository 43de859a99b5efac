#pragma once
// The heap that the library serves the program from. All others of this folder ask here: this is
// their one door to the process's heap.
#include <mmt/core/compiler.h>

#include "heap/process/process_heap.h"

namespace mmt::harden {

MMT_ALWAYS_INLINE heap::Heap& served_heap() { return heap::process_heap; }

}  // namespace mmt::harden
