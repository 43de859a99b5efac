#pragma once
// Purging brings free slots back to the OS. It takes them out of the slot map under the depot lock,
// and gives them back to the system without the lock. They come back to the slot map afterwards.
//
// Calls with a LockToken want the lock. The others want none, and are for the thread that has the
// run from begin(). A length of 0 means that there is no such run.
#include <cstddef>
#include <cstdint>

#include "heap/store/discard.h"
#include "heap/store/large_runs.h"
#include "heap/store/seams.h"

namespace mmt::store {

enum class PurgeResult : uint8_t {
  kClean,  // the run holds no memory now
  kDirty,  // the system refused
  kLost,   // a place that could not be mapped again: foreign from now on
};

class Purging {
 public:
  // Call it once, before anything else.
  void open(Region* region, Seams* seams, FreeRuns* runs, Tally* tally, LargeRuns* large);

  // Takes a run of dirty free slots, the lowest at or above `from`, out of the slot map; its length
  // in slots.
  size_t begin(LockToken lock, Slot from, size_t most, bool aged_only, Slot* first);
  // Takes the highest such run.
  size_t begin_top(LockToken lock, size_t most, Slot* first);
  // Gives them back to the slot map, clean or (when the OS refused) as they were. A caller without
  // the lock uses LargeRuns::return_slots.
  void end(LockToken lock, Slot first, size_t count, bool clean);

  // Gives the run's memory back to the OS. What is lost is no longer the caller's to give back.
  PurgeResult purge_pages(Slot first, size_t count, Discard discard = nullptr);
  // A run that holds no memory is mapped anew where that makes mappings fewer; else nothing is
  // done. The results are as above.
  PurgeResult renew_pages(Slot first, size_t count);

  // Slots that are in nobody's hands are lost to the heap, as by LargeRuns::abandon.
  void abandon(LockToken lock, Slot first, size_t count);

 private:
  Region* region_ = nullptr;
  Seams* seams_ = nullptr;
  FreeRuns* runs_ = nullptr;
  Tally* tally_ = nullptr;
  LargeRuns* large_ = nullptr;
};

}  // namespace mmt::store
