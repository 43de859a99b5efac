#pragma once
// The heap of the process. Only who stands at a door of the library names it, and hands it in.
#include "offload/runtime.h"

namespace mmt::offload {

// Hidden: read before the library is relocated (abi/early.h), so never by the table of offsets.
[[gnu::visibility("hidden")]] extern Heap process_heap;

// Registers its handlers of fork; once, whoever calls. From the library's constructor at the
// latest.
void install_fork_handlers();

}  // namespace mmt::offload
