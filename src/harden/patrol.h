#pragma once
// The patrol looks at the heap for what was written by mistake (look.h). It begins with the blocks
// that wait in quarantines. All others follow from the lowest on, live and freed.
#include <cstddef>
#include <cstdint>

#include "harden/heap_copy.h"
#include "harden/quarantine.h"
#include "heap/store/region.h"

namespace mmt::harden {

// Since when what a look finds has happened: all was looked at then, in ms (times.h).
uint64_t last_looked_ms();

// For one thread.
class Patrol {
 public:
  Patrol();

  // Looks at what waits, and at so many bytes of all else from where it last stopped, and reports.
  // False: that was the last of the region, and the next call begins anew.
  bool run(size_t bytes);
  // At all that waits, and at no more than so many bytes of all else.
  void run_through(size_t most_bytes);

 private:
  void look_at_waiting(size_t most_bytes);
  bool look_at_rest(size_t bytes);

  HeapCopy copy_;
  Quarantine* next_quarantine_ = nullptr;
  store::Slot next_ = 0;
  uint64_t began_ms_ = 0;  // this pass
};

}  // namespace mmt::harden
