#pragma once
// The gate by which memory comes from the depot to a thread: a span, a block by itself, or a large
// block. With a token what lies under the lock; the fresh ones are for a thread that did not get
// it, or found nothing there. Any thread, any time, also amid a step. The depot is the guards' own.
// Null, or of no slot: memory is short.
#include "heap/object/client.h"

namespace mmt::heap {

// Some of what rests past the channels is there first, a few spans: a thread that has the lock
// anyway brings them in.
void merge_some_resting(Heap& heap, LockToken lock);

// A span's free blocks are put into `words`.
store::SpanSupply take_span(Heap& heap, LockToken lock, SizeClass c, uint64_t* words);
void* take_block(Heap& heap, LockToken lock, SizeClass c);
// The same where memory is short: also of spans that have hardly any.
void* take_poor_block(Heap& heap, LockToken lock, SizeClass c);

// A fresh span, else one that has any free blocks to speak of.
store::SpanSupply take_fresh_span(Heap& heap, SizeClass c, uint64_t* words);
// One block of a span that is made for it; the others of the span are the depot's. The heap is
// open.
void* take_fresh_block(Heap& heap, SizeClass c);

// *clean: what of it holds no memory.
void* take_large(Heap& heap, LockToken lock, size_t bytes, size_t alignment,
                 store::CleanParts* clean);
// All of it holds none.
void* take_fresh_large(Heap& heap, size_t bytes, size_t alignment);
// See LargeGrowth::take.
void* take_growing(Heap& heap, LockToken lock, size_t bytes, size_t extent);

}  // namespace mmt::heap
