#include "tracing/priority.h"

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>

namespace mmt::tracing {
namespace {

// A thread that cannot go back yields less, as other programs than the recorded one may be at work.
constexpr int kYieldingForGood = 5;
constexpr int kYielding = 15;
constexpr int kLowest = 19;

bool set_nice(int value) { return ::setpriority(PRIO_PROCESS, 0, value) == 0; }

}  // namespace

// Nothing depends on what it asks for, so nothing is told of a refusal.
void Priority::let_others_first() {
  if (is_set_) return;
  is_set_ = true;
  const sched_param none{};
  ::sched_setscheduler(0, SCHED_BATCH, &none);  // waking up, it takes no CPU from anybody
  first_ = ::getpriority(PRIO_PROCESS, 0);
  yielding_ = std::min(first_ + kYieldingForGood, kLowest);
  const bool may_return = set_nice(yielding_) && set_nice(first_);
  if (may_return) yielding_ = std::min(first_ + kYielding, kLowest);
  set_nice(yielding_);
}

void Priority::set_urgent(bool is_urgent) {
  if (!is_set_ || is_urgent == is_urgent_) return;
  is_urgent_ = is_urgent;
  set_nice(is_urgent ? first_ : yielding_);
}

}  // namespace mmt::tracing
