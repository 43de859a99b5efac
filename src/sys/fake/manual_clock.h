#pragma once
// The hand on the Fake double of <mmt/sys/clock.h>.
#include <cstdint>

namespace mmt::sys::fake {

// From now on every look at the clock takes so long, as if what was done since the last one had.
void set_time_a_look(uint64_t ns);

}  // namespace mmt::sys::fake
