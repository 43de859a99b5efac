#pragma once
// A fault of the CPU's at an address of the heap.
namespace mmt::harden {

// In a handler of SIGSEGV or SIGBUS: tells of a write to freed memory, or beyond a block. Reads are
// not told of, nor are faults elsewhere. True: the access goes on.
bool tell_of_memory_fault(const void* address, const void* context);

}  // namespace mmt::harden
