#pragma once
// Whether this thread's restartable sequences are known to the kernel.
#include <cstdint>

#include "offload/options.h"

namespace mmt::offload {

// The word through which the calling thread announces a sequence, or nullptr when the fast paths
// must not rely on restarts: the C library has not registered the thread, or there is no sequence
// for this architecture.
uint64_t* rseq_slot_of_thread(Rseq choice);

// The CPU that the calling thread ran on a moment ago; `unknown` where the kernel does not tell.
uint32_t cpu_of_thread(uint32_t unknown);

}  // namespace mmt::offload
