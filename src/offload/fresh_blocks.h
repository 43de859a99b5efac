#pragma once
// Blocks of spans that are made for them, where the depot had none under its lock: it finds nothing
// beyond what is mapped, or the calling thread may not touch it. The depot is the guard's own.
#include "offload/client.h"

namespace mmt::offload {

// One block of class `c`; the others of its span are the depot's. nullptr: memory is short. The
// heap is open. Any thread, any time, also amid a step.
void* take_fresh_block(native::Depot& depot, SizeClass c);

// A fresh span, else one that has any free blocks to speak of. Its free blocks are put into
// `words`. Of no slot: memory is short. Without the lock.
native::SpanSupply take_fresh_span(native::Depot& depot, SizeClass c, uint64_t* words);

}  // namespace mmt::offload
