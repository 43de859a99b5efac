#pragma once
// A library may have the memory thread look at blocks, besides what it does for the heap
// (src/harden). The plain heap has nothing looked at.
#include <mmt/sys/thread.h>

#include "heap/keeper/step_list.h"

namespace mmt::heap {

template <class... Steps>
using WithChecks = StepList<Steps...>;
// It has nothing to say.
inline constexpr sys::KeptFiles kKeptFiles = sys::KeptFiles::kNone;

}  // namespace mmt::heap
