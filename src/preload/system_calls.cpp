// The memory thread beside calls that confine the program, change its user, or how it is scheduled.
#include "abi/background_thread.h"
#include "offload/server_thread.h"

namespace mmt::abi {

struct BackgroundThread {
  static bool stop() { return offload::stop_server(); }
  static void start_if_due() { offload::start_server_if_due(); }
  static void start_early() { offload::start_server_early(); }
  static void reconsider() { offload::reconsider_server(); }
  static void start_none(bool forks_too) { offload::start_no_server(forks_too); }
  static bool at_home() { return offload::at_home(); }
};
static_assert(IsBackgroundThread<BackgroundThread>);

}  // namespace mmt::abi

#include "abi/confinement.inc"
#include "abi/credentials.inc"
#include "abi/limits.inc"
#include "abi/scheduling.inc"
