#pragma once
// Goes before the plain heap's: the memory thread looks at freed blocks, too.
#include <mmt/sys/thread.h>

#include "harden/patrol_step.h"
#include "heap/keeper/step_list.h"

namespace mmt::heap {

template <class... Steps>
using WithChecks = StepList<Steps..., harden::PatrolStep>;
// It reports what it finds.
inline constexpr sys::KeptFiles kKeptFiles = sys::KeptFiles::kStandardError;

}  // namespace mmt::heap
