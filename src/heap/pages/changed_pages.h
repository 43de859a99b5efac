#pragma once
// The program may change pages of its blocks (protect, lock, advise, map over, unmap). Such changes
// end with the block: the thread that frees the block makes its pages as new. Pages that are shared
// with a neighbour block stay as they are until both are free.
#include <cstddef>
#include <cstdint>

#include "heap/store/span.h"

namespace mmt::heap {

struct Heap;

// The program is about to change what of this range lies in the heap. Any thread may call it, in
// any context.
void note_changed_pages(Heap& heap, const void* start, size_t bytes, store::Change change);
// The program is about to move this range, by a call that moves pages of one mapping only. A block
// that the heap put together from pages of several is made one.
void join_pages_to_move(Heap& heap, const void* start, size_t bytes);
// All memory is locked, or no longer. Pages are not moved then: what they leave would be unlocked.
void note_mlockall(Heap& heap, bool locked);
bool mlockall_holds(Heap& heap);
// From now on pages may be changed by calls that cannot be seen: every large block is renewed.
void note_unseen_changes(Heap& heap);

enum class Renewal : uint8_t {
  kKept,   // the pages hold what they held
  kFresh,  // they read as zero
  kFailed  // they may be unmapped, and are nobody's to use
};

// Pages of nobody's, in whole; a thread of the program's, the depot lock not held.
Renewal renew_pages(Heap& heap, void* start, size_t bytes, store::Change change);
// Renews the changed pages of a block that is to be freed. False: the block cannot be used any
// more.
bool renew_changed_block(Heap& heap, void* block);
bool is_changed(Heap& heap, const void* large_block);
Renewal renew_changed_large(Heap& heap, void* block);
// Its pages have gone elsewhere.
void forget_changes(Heap& heap, void* large_block);
// What was left changed in free slots; without pages to renew it costs one look.
void renew_changed_runs(Heap& heap);

}  // namespace mmt::heap
