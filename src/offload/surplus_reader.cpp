#include "offload/surplus_reader.h"

#include "offload/leave.h"
#include "offload/runtime.h"

namespace mmt::offload {

// What was put is consumed under the same hold of the lock: so a fork's child finds each batch in
// one place.
bool SurplusReader::put(LockToken lock, size_t most) {
  SurplusRing& ring = client_.surplus;
  while (ring.readable() != 0) {
    if (most-- == 0) return false;
    const BatchHeader header = BatchHeader::unpack(ring.at(0));
    char* const window =
        runtime.depot.region().base() + (size_t{header.window} << native::kWindowShift);
    ring.read(1 + header.padding, header.count, [&](const uint32_t* offsets, size_t count) {
      offload::put(lock, Batch::of_offsets(header.size_class, window, offsets, count));
    });
    ring.consume(header.words());
    runtime.server_counters.batches.add();
    client_.drained_bytes.add(size_t{header.count} * kClasses[header.size_class].size);
  }
  return true;
}

void recover_readers(uint32_t self) {
  const uint32_t count = runtime.clients.count();
  for (uint32_t i = 0; i < count; ++i) {
    Client* const client = runtime.clients.at(i);
    if (client != nullptr && client->reader.held_by(self)) client->reader.unlock(self);
  }
}

}  // namespace mmt::offload
