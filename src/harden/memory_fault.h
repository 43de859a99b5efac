#pragma once
// A fault of the CPU's at an address of the heap.
#include <signal.h>

namespace mmt::harden {

// In a handler of SIGSEGV or SIGBUS: tells of a write to freed memory, beyond a block, or to the
// heap's tables. Reads are not told of, nor are faults elsewhere. True: the access goes on.
bool tell_of_memory_fault(const siginfo_t& info, const void* context);

}  // namespace mmt::harden
