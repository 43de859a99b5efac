#pragma once
// The memory thread. One for a process, below libc (sys::RawThread), all signals blocked.
//
// It sleeps, and works in bursts (pace.h), by the steps of keeper_steps.h. It holds the depot lock
// for a few batches at a time, and never across a system call but the mapping of the next piece of
// the heap. It looks from time to time, and when it is asked to, what the program bears (duty.h,
// following.h), and how it is to be scheduled.
#include "offload/duty.h"

namespace mmt::offload {

struct Heap;

// Its body: returns when it is told to leave (server_thread.h) or a limit forbids it, holding
// nothing.
void run_keeper(Heap& heap, const Orders& orders);

}  // namespace mmt::offload
