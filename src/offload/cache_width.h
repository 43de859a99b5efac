#pragma once
// How many freed blocks a thread keeps. Each class starts with a small cache. One that overflows,
// and had run empty since it overflowed last, swings by more than it holds: it is widened, so that
// what comes and goes does so without the depot. A cache that only overflows, as in a teardown, is
// narrowed again. What all wider caches of a thread may hold beyond their first size is bounded by
// its share of the memory in use.
//
// Called by the client's thread inside an Entry.
#include "offload/client.h"

namespace mmt::offload {

// Gives the cache of class `c`, which is full, more room. False: it has all it may have.
bool widen(Client& client, SizeClass c);

// Takes it back, of a cache that holds less than its first size.
void narrow(Client& client, SizeClass c);

}  // namespace mmt::offload
