#pragma once
// Pages that nobody may touch. Addresses and lengths are multiples of kPageSize; the pages are
// private, and the caller's. No call touches errno or allocates. All are thread-safe.
#include <cstddef>

namespace mmt::sys {

// From now on each access faults, and what the pages held is lost. Linux 6.13 has guards within a
// mapping; before, each splits mappings, and no more than a few thousand are made. False: there are
// none, and nothing has changed.
bool install_guard(void* at, size_t bytes);

// What was guarded, all or part of it, reads as zero and can be written.
void remove_guard(void* at, size_t bytes);

}  // namespace mmt::sys
