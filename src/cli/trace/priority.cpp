#include "cli/trace/priority.h"

#include <sched.h>
#include <sys/resource.h>

namespace mmt::cli {
namespace {

// Not more: other programs than the recorded one may be at work.
constexpr int kNice = 10;

}  // namespace

// Neither call needs a right, nor is what it asks for needed.
void let_others_first() {
  const sched_param none{};
  ::sched_setscheduler(0, SCHED_BATCH, &none);  // waking up, it takes no CPU from anybody
  if (::getpriority(PRIO_PROCESS, 0) < kNice) ::setpriority(PRIO_PROCESS, 0, kNice);
}

}  // namespace mmt::cli
