#include "heap/gates/surplus_reader.h"

#include "heap/gates/leave.h"

namespace mmt::heap {

namespace {

// The batch that begins at the ring's word `at`, in one piece or two: visit(piece).
template <class Visit>
BatchHeader visit_batch(const store::Region& region, SurplusRing& ring, uint32_t at,
                        Visit&& visit) {
  const BatchHeader header = BatchHeader::unpack(ring.at(at));
  char* const window = region.base() + (size_t{header.window} << store::kWindowShift);
  ring.read(at + 1 + header.padding, header.count, [&](const uint32_t* offsets, size_t count) {
    visit(Batch::of_offsets(header.size_class, window, offsets, count));
  });
  return header;
}

}  // namespace

size_t SurplusReader::look(size_t most) {
  if constexpr (!Inspections::kAny) return most;
  SurplusRing& ring = client_.surplus;
  const uint32_t end = ring.readable();
  size_t count = 0;
  for (uint32_t at = 0; at < end && count < most; ++count)
    at += visit_batch(heap_.depot.region(), ring, at, [this](const Batch& batch) {
            Inspections::see(heap_, batch);
          }).words();
  return count;
}

// What was put is consumed under the same hold of the lock: so a fork's child finds each batch in
// one place.
bool SurplusReader::put(LockToken lock, size_t count) {
  store::Depot& depot = heap_.depot;
  SurplusRing& ring = client_.surplus;
  while (ring.readable() != 0) {
    if (count-- == 0) return false;
    const BatchHeader header =
        visit_batch(depot.region(), ring, 0,
                    [&depot, lock](const Batch& batch) { heap::put(depot, lock, batch); });
    ring.consume(header.words());
    heap_.server_counters.batches.add();
    client_.drained_bytes.add(size_t{header.count} * kClasses[header.size_class].size);
  }
  return true;
}

void recover_readers(Heap& heap, uint32_t self) {
  const uint32_t count = heap.clients.count();
  for (uint32_t i = 0; i < count; ++i) {
    Client* const client = heap.clients.at(i);
    if (client != nullptr && client->reader.held_by(self)) client->reader.unlock(self);
  }
}

void reset_readers_in_child(Heap& heap, uint32_t self, uint32_t before) {
  const uint32_t count = heap.clients.count();
  for (uint32_t i = 0; i < count; ++i)
    if (Client* const client = heap.clients.at(i))
      client->reader.reset_in_child(client->reader.held_by(before) ? self : 0);
}

}  // namespace mmt::heap
