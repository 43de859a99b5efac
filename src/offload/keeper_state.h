#pragma once
// The memory thread as the process sees it: its thread, what it is told, and when one is started
// again. By server_thread.h and rights.h alone. All relaxed: who sees a switch late starts a thread
// that would have been refused and leaves again, or ends one that has given up all already.
#include <atomic>
#include <cstdint>

#include <mmt/sys/rights.h>
#include <mmt/sys/thread.h>

#include "offload/absence.h"
#include "offload/duty.h"

namespace mmt::offload {

struct KeeperState {
  sys::RawThread thread{};
  Orders orders{};  // by the starter, for the thread
  // Id of the thread that is to leave. Naming it, a request that comes late does not reach the
  // next.
  std::atomic<uint32_t> leaving{0};
  std::atomic<bool> asked_to_look{false};

  std::atomic<uint32_t> home{0};  // the process; 0: the library has not been loaded yet
  // See start_no_server().
  std::atomic<bool> no_more{false};
  std::atomic<bool> no_more_in_children{false};
  // No thread is started before so many bytes have been fetched.
  std::atomic<uint64_t> postponed_to{0};

  Absence absence{};
  std::atomic<sys::Kept> kept{sys::Kept::kNothing};
};

}  // namespace mmt::offload
