// One channel between two threads: what goes in comes out, once and in order, and no entry is
// written while it is read.
#pragma once

#include <cstdint>

#include <mmt/sync/spsc_ring.h>

namespace mmt::model {

// Four entries through a ring of two, one at a time: every place is used twice.
template <class World>
struct RingSingly {
  static constexpr int kThreads = 2;
  static constexpr uint32_t kItems = 4;
  sync::SpscRing<uint32_t, 2, World> ring;

  void thread(int index) {
    for (uint32_t item = 1; item <= kItems; ++item) {
      if (index == 0) {
        World::await([&] { return ring.reserve(1); });
        ring.entry(0) = item;
        ring.publish(1);
      } else {
        World::await([&] { return ring.readable() != 0; });
        World::require(ring.at(0) == item, "entries come in order");
        ring.consume(1);
      }
    }
  }
  void finish() { World::require(ring.size_hint() == 0, "the ring is empty again"); }
};

// The consumer of `batches` batches, entries of which are numbered from 0: it takes what there is.
template <class World, class Ring>
void consume_batches(Ring& ring, uint32_t batch, uint32_t batches) {
  for (uint32_t next = 0; next < batch * batches;) {
    uint32_t count = 0;
    World::await([&] { return (count = ring.readable()) != 0; });
    World::require(count % batch == 0, "a batch is seen whole");
    for (uint32_t i = 0; i < count; ++i) World::require(ring.at(i) == next++, "in order");
    ring.consume(count);
  }
}

// Batches of three through a ring of four, so that they wrap; the consumer takes what there is.
template <class World>
struct RingBatches {
  static constexpr int kThreads = 2;
  static constexpr uint32_t kBatch = 3;
  static constexpr uint32_t kBatches = 2;
  sync::SpscRing<uint32_t, 4, World> ring;

  void thread(int index) {
    if (index != 0) return consume_batches<World>(ring, kBatch, kBatches);
    for (uint32_t batch = 0; batch < kBatches; ++batch) {
      World::await([&] { return ring.reserve(kBatch); });
      for (uint32_t i = 0; i < kBatch; ++i) ring.entry(i) = batch * kBatch + i;
      ring.publish(kBatch);
    }
  }
  void finish() {}
};

// Two batches, streamed: the first is held until the second is handed over.
template <class World>
struct RingHeld {
  static constexpr int kThreads = 2;
  static constexpr uint32_t kBatch = 2;
  static constexpr uint32_t kBatches = 2;
  sync::SpscRing<uint32_t, 4, World> ring;

  void thread(int index) {
    if (index != 0) return consume_batches<World>(ring, kBatch, kBatches);
    for (uint32_t batch = 0; batch < kBatches; ++batch) {
      ring.publish_held();
      World::await([&] { return ring.reserve(kBatch); });
      const uint32_t values[kBatch] = {batch * kBatch, batch * kBatch + 1};
      ring.stream(0, values, kBatch);
      ring.hold(kBatch);
    }
    ring.publish_held();
  }
  void finish() {}
};

// A client that never waits: what does not fit it keeps.
template <class World>
struct RingOverflow {
  static constexpr int kThreads = 2;
  sync::SpscRing<uint32_t, 2, World> ring;
  uint32_t accepted = 0;
  uint32_t received = 0;

  void thread(int index) {
    for (int round = 0; round < 4; ++round) {
      if (index == 0) {
        if (!ring.reserve(1)) continue;
        ring.entry(0) = ++accepted;
        ring.publish(1);
      } else {
        if (ring.readable_now() == 0) continue;
        World::require(ring.at(0) == ++received, "none is lost, none comes twice");
        ring.consume(1);
      }
    }
  }
  void finish() {
    World::require(accepted >= 2, "an empty ring takes its capacity");
    World::require(received + ring.size_hint() == accepted, "all are accounted for");
  }
};

}  // namespace mmt::model
