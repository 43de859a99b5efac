#include "offload/leave.h"

namespace mmt::offload {

void rest(const Batch& batch) {
  native::Depot& depot = runtime.depot;
  if (batch.form == Batch::Form::kLarge) return depot.return_large(batch.base, batch.moved);
  batch.for_each([&](void* block) { depot.return_block(block); });
}

void leave_as(uint32_t self, const Batch& batch) {
  {
    const DepotStep lock(self);
    if (lock.held()) return put(lock, batch);
  }
  rest(batch);
}

}  // namespace mmt::offload
