#pragma once
// The heap of the process. Only code at a door of the library names it, and hands it in.
#include "heap/object/heap.h"

namespace mmt::heap {

// Hidden: read before the library is relocated (names/early.h), so never by the table of offsets.
[[gnu::visibility("hidden")]] extern Heap process_heap;

// Registers its handlers of fork; once, whoever calls. The library's constructor calls it at the
// latest.
void install_fork_handlers();

}  // namespace mmt::heap
