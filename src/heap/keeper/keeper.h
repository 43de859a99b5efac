#pragma once
// A process has one memory thread, below libc (sys::RawThread), with all signals blocked.
//
// The memory thread sleeps, and works in bursts (pace.h), by the steps of keeper_steps.h. It holds
// the depot lock for a few batches at a time. It holds the lock across no system call but the
// mapping of the next piece of the heap. It looks from time to time, and when it is asked to, at
// what the program bears (duty.h, following.h). It also looks at how it is to be scheduled.
#include "heap/object/duty.h"

namespace mmt::heap {

struct Heap;

// Its body: returns when it is told to leave (server_orders.h) or a limit forbids it, holding
// nothing.
void run_keeper(Heap& heap, const Orders& orders);

}  // namespace mmt::heap
