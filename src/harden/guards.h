#pragma once
// Blocks of whole pages end in a page that nobody may touch. Freed ones wait for a while, and none
// of their pages may be touched: their memory goes back to the system at once. What waits is
// bounded by places and by bytes of address space. Any thread.
#include <cstddef>
#include <cstdint>

#include "harden/object.h"

namespace mmt::harden {

// Behind each block of whole pages.
inline constexpr size_t kGuardBytes = 4096;

// All behind a block's own pages, to the end of its slots.
void guard_end(Object object);
void unguard_end(Object object);

// A freed block waits. Another that leaves, or itself, is to be given back to the heap; nullptr:
// none.
void* wait_guarded(Object object);

// All that wait go back to the heap, as memory is short. False: none did.
bool release_waiting();

// An instruction has written to an address that may not be touched. `is_mapped`: there are pages.
void tell_of_guarded_write(const void* address, bool is_mapped, const void* instruction);

}  // namespace mmt::harden
