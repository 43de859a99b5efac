#pragma once
// Free memory that holds pages is not wasted. Its pages are moved to where a large block needs
// some, which costs a small part of faulting fresh ones in. Memory that lies free beyond the bound
// by ratio goes back to the system, by threads of the program. All of it happens with signals
// blocked: what is on its way in between may not be left behind.
#include <cstddef>
#include <cstdint>

#include <mmt/sys/pages.h>

#include "heap/object/heap.h"
#include "heap/object/samples.h"

namespace mmt::heap {

// From this size on a fresh block gets pages of free runs.
inline constexpr size_t kFilledBytes = size_t{1} << 20;
// Each of these is so long at least.
inline constexpr size_t kLeastDonor = size_t{1} << 20;

enum class Move : uint8_t {
  kDone,
  kRefused,  // nothing has changed
  kBroken,   // a move that failed half-way had unmapped the place, which could not be mapped again
};

// Whether the kernel is no longer asked to move pages.
bool moves_are_refused(Heap& heap);
// What a call of the kernel's did, which was to move `bytes` to `to`.
Move note_move(Heap& heap, sys::MoveResult result, void* to, size_t bytes);
// Moves pages to a place that holds none; both are whole slots.
Move move_to_fresh(Heap& heap, void* from, void* to, size_t bytes);

struct Filled {
  size_t bytes;  // from the start
  bool broken;   // what follows them is no longer mapped
};

// Whether pages lie free that a fresh block of this size could have. Pages that are moved there
// count as used: of a kind that is not, they would be lost.
bool worth_filling(Heap& heap, size_t bytes, Kind kind);
// Gives a place that reads as zero pages that lie free elsewhere: no more memory is resident than
// before.
Filled fill_from_free(Heap& heap, char* place, size_t bytes);

// At most so much of what lies free beyond the bound goes back to the system.
void give_back_excess(Heap& heap, size_t bytes);
// Some of it, where the memory thread may not (page_hooks.h). A thread of the program's, after it
// has freed something.
void give_back_as_told(Heap& heap);

inline store::Slot slot_of(Heap& heap, const void* block) {
  return heap.depot.region().slot_of(block);
}

}  // namespace mmt::heap
