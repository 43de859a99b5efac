// What happens when the library is loaded, and when the process ends.
#include <mmt/core/compiler.h>

#include "observe/exit_report.h"
#include "observe/stats.h"
#include "offload/lifecycle.h"
#include "offload/runtime.h"
#include "preload/environment.h"

namespace {

__attribute__((constructor(101))) void on_load() {
  mmt::offload::install_fork_handlers();
  mmt::observe::plan_exit_report();
  mmt::observe::keep_page_fresh();
  // Last: the options have been read.
  if (!mmt::offload::runtime.options.follow) mmt::preload::stop_following();
}

// After the destructors of everything that was loaded later, and of the program.
__attribute__((destructor(101))) void on_exit() { mmt::observe::write_exit_report(); }

}  // namespace
