#pragma once
// Whether recycling is worth its cost over this library: its own pair of malloc and free against
// the same served by magazines, measured once in the running process.
#include "agnostic/recycling/magazines.h"

namespace mmt::agnostic {

// Takes some tens of microseconds; `magazines` are the calling thread's, which is inside.
bool is_recycling_faster(Magazines& magazines);

}  // namespace mmt::agnostic
