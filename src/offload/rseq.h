#pragma once
// Whether this thread's restartable sequences are known to the kernel.
#include <cstdint>

#include "offload/options.h"

namespace mmt::offload {

// The word through which the calling thread announces a sequence, or nullptr when the fast paths
// must not rely on restarts: the C library has not registered the thread, or there is no sequence
// for this architecture.
uint64_t* rseq_slot_of_thread(Rseq choice);

}  // namespace mmt::offload
