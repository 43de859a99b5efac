#include "harden/process_end.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harden/finding.h"
#include "harden/settings.h"

namespace mmt::harden {
namespace {

// As sanitizers do.
constexpr int kFaultStatus = 1;

void on_end(int status, void*) {
  if (reported() == 0 || status != 0 || settings.after != After::kExit) return;
  fflush(nullptr);
  _exit(kFaultStatus);
}

}  // namespace

void watch_end() { on_exit(on_end, nullptr); }

}  // namespace mmt::harden
