#pragma once
// The memory thread as the process sees it: its thread, what it is told, and when one is started
// again. server_orders.h, server_thread.h and rights.h alone use it. All is relaxed, as in
// hidden_thread.h.
#include <atomic>
#include <cstdint>

#include <mmt/sys/hidden_thread.h>

#include "heap/object/absence.h"
#include "heap/object/duty.h"

namespace mmt::heap {

struct KeeperState {
  sys::HiddenThread thread{};
  Orders orders{};  // by the starter, for the thread
  std::atomic<bool> asked_to_look{false};

  // No thread is started before so many bytes have been fetched.
  std::atomic<uint64_t> postponed_to{0};

  Absence absence{};
};

}  // namespace mmt::heap
