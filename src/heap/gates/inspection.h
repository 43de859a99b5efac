#pragma once
// Inspections look at the blocks that leave threads, before the depot has them. The program has
// freed some of these blocks. It has not had the others, which its thread had taken.
//
// Each block is in one batch, whichever way it goes. The memory thread looks while it serves. Else
// the thread that gives the blocks back looks, as a client does when more of its surplus is under
// way than may be. The depot's lock is not held, and signals are blocked. While the list is empty,
// the gate (leave.h) is compiled as if there were none.
#include "heap/gates/inspection_list.h"

namespace mmt::heap {

using Inspections = InspectionList<>;

}  // namespace mmt::heap
