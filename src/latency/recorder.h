#pragma once
// Adds the time of a call to the page. It allocates nothing. Any thread may call it, also in a
// signal handler.
#include <cstdint>

#include "interprocess/call_page.h"

namespace mmt::latency {

// The page, mapped by the first call that finds the program's environment; nullptr where there is
// none, or before. Leaves errno alone.
CallPage* call_page();

// The two stand around a call. end_call() counts it, in place of the calls of this thread that
// ended since begin_call(). It replaces the latest 64; more than that inside one call are counted
// as well.
uint32_t begin_call();
void end_call(CallPage& page, uint32_t mark, Call call, uint64_t ticks);

}  // namespace mmt::latency
