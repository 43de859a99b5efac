// Which calls for memory fail: the one point that decides, for the counting sources and for the
// system's calls alike. Any thread.
#pragma once

#include <cstddef>

namespace mmt::layers::conformance {

// Calls are numbered from 1 since the plan began.
struct FaultPlan {
  size_t first = 0;  // the first call that fails; 0: none does
  size_t every = 0;  // after it, each so many-th; 0: no other
};

inline constexpr FaultPlan kNoFaults{};
inline constexpr FaultPlan kAllFail{1, 1};

// Begins a plan, and the numbering of calls.
void set_faults(FaultPlan plan);
// Calls since then.
size_t fault_calls();
// Counts a call; true: it has to fail.
bool call_fails();

}  // namespace mmt::layers::conformance
