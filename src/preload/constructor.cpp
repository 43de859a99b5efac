// What happens when the library is loaded, and when the process ends.
#include <mmt/core/compiler.h>

#include "preload/doors.h"
#include "preload/environment.h"

namespace {

__attribute__((constructor(101))) void on_load() {
  mmt::names::Process::begin();
  // Last: the options have been read.
  if (!mmt::names::Process::options().follow) mmt::preload::stop_following();
}

// After the destructors of everything that was loaded later, and of the program.
__attribute__((destructor(101))) void on_exit() { mmt::names::Process::end(); }

}  // namespace
