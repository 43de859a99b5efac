#pragma once
// Adds the time of a call to the page. Allocates nothing; any thread, also in a signal handler.
#include <cstdint>

#include "latency/call_page.h"

namespace mmt::latency {

// The page, mapped by the first call that finds the program's environment; nullptr where there is
// none, or before. Leaves errno alone.
CallPage* call_page();

void record(CallPage& page, Call call, uint64_t ticks);

}  // namespace mmt::latency
