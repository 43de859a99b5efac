#pragma once
// A client's thread decides here how many freed blocks it keeps. Each class starts with a small
// cache. A cache that overflows, and had run empty before, swings by more than it holds. It is
// widened, a few times until it runs empty again, so that what comes and goes does so without the
// depot. A cache that only overflows, as in a teardown, is narrowed again. A thread's share of the
// memory in use bounds what all its wider caches may hold beyond their first size.
//
// The client's thread makes these calls inside an Entry.
#include "heap/object/client.h"

namespace mmt::heap {

// How often a cache is widened at most between two refills.
inline constexpr uint8_t kMostWidenings = 3;

// Gives the cache of class `c`, which is full, more room. False: it has all it may have.
bool widen(Client& client, SizeClass c);

// Takes it back, of a cache that holds less than its first size: there is room in it afterwards.
void narrow(Client& client, SizeClass c);

}  // namespace mmt::heap
