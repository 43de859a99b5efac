#pragma once
// What the steps of the memory thread share.
#include <cstdint>

#include "heap/keeper/client_service.h"
#include "heap/object/server_orders.h"

namespace mmt::heap {

struct KeeperRound {
  explicit KeeperRound(Heap& whose) : heap(whose), clients(whose) {}

  // It is to leave as soon as it can: no step goes on for long.
  bool must_leave() const { return told_to_leave(heap, self); }

  Heap& heap;
  uint32_t self = 0;  // its identity for the lock: it has no thread-local state
  ClientService clients;
  bool may_open_files = false;
  unsigned online_cpus = 1;
  bool worked = false;  // a step before in this round
};

}  // namespace mmt::heap
