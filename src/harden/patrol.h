#pragma once
// The patrol looks at freed blocks of size classes for what was written since. It takes nothing and
// locks nothing. What it finds may be a block that another thread takes just then, so a finding has
// to hold for several looks.
#include <cstddef>
#include <cstdint>

#include "heap/store/region.h"

namespace mmt::harden {

// Since when what a look finds has happened: all was looked at then, in ms (times.h).
uint64_t last_looked_ms();

class Patrol {
 public:
  // Looks at blocks of about so many bytes, from where it last stopped, and reports what was
  // written to. False: that was the last of the region, and the next call begins anew.
  bool run(size_t bytes);
  // All of it, but no more than so many bytes of freed blocks.
  void run_through(size_t most_bytes);

 private:
  store::Slot next_ = 0;
  uint64_t began_ms_ = 0;  // this pass
};

}  // namespace mmt::harden
