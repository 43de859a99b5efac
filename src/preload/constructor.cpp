// Runs when the library is loaded.
#include <mmt/core/compiler.h>

#include "offload/lifecycle.h"

namespace {

__attribute__((constructor(101))) void on_load() { mmt::offload::install_fork_handlers(); }

}  // namespace
