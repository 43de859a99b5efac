#pragma once
// Whether this thread's restartable sequences are known to the kernel.
#include <cstdint>

#include "interprocess/heap_options.h"

namespace mmt::heap {

// Returns the word through which the calling thread announces a sequence. The result is nullptr
// when the fast paths must not rely on restarts: by kOff, or since there is no sequence for this
// architecture. It is nullptr, too, when the C library has not registered the thread. With kAssume
// such a thread gets a word that no kernel looks at.
uint64_t* rseq_word_of_thread(Rseq choice);

// The CPU that the calling thread ran on a moment ago; `unknown` where the kernel does not tell.
uint32_t cpu_of_thread(uint32_t unknown);

}  // namespace mmt::heap
