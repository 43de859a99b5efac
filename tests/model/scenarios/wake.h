// The parker, alone and with channels that the server looks through: no work stays unseen, no
// wake-up is lost. A lost one shows as a server that waits for ever.
#pragma once

#include <cstdint>

#include <mmt/sync/parker.h>
#include <mmt/sync/spsc_ring.h>

namespace mmt::model {

// Parker alone, with the simplest work there is.
template <class World, bool kUrgent>
struct ParkerAndWord {
  static constexpr int kThreads = 2;
  typename World::template Atomic<uint32_t> work;
  sync::Parker<World> parker;

  void thread(int index) {
    for (uint32_t item = 1; item <= 2; ++item) {
      if (index == 0) {
        work.store(item, sync::kRelaxed);
        kUrgent ? parker.wake() : parker.wake_if_parked();
        continue;
      }
      while (work.load(sync::kRelaxed) < item) {
        parker.begin_park();
        if (work.load(sync::kRelaxed) >= item) {
          parker.cancel_park();
        } else {
          parker.commit_park();
        }
      }
    }
  }
  void finish() {}
};

template <class World>
struct Channel {
  sync::SpscRing<uint32_t, 2, World> ring;

  void send(uint32_t item) {
    World::await([&] { return ring.reserve(1); });
    ring.entry(0) = item;
    ring.publish(1);
  }
  // Reads all there is; returns how many.
  uint32_t receive(uint32_t* last) {
    uint32_t total = 0;
    while (ring.readable() != 0) {
      World::require(ring.at(0) == *last + 1, "items come in order");
      *last = ring.at(0);
      ring.consume(1);
      ++total;
    }
    return total;
  }
};

// The whole: the server looks through all channels, and sleeps whenever it finds nothing.
template <class World, int kClients, uint32_t kItems>
struct SleepyServer {
  static constexpr int kThreads = kClients + 1;
  Channel<World> channels[kClients];
  sync::Parker<World> parker;
  uint32_t last[kClients] = {};

  void thread(int index) { index == kClients ? serve() : send(index); }
  void send(int client) {
    for (uint32_t item = 1; item <= kItems; ++item) {
      channels[client].send(item);
      parker.wake_if_parked();
    }
  }
  uint32_t look() {
    uint32_t count = 0;
    for (int i = 0; i < kClients; ++i) count += channels[i].receive(&last[i]);
    return count;
  }
  void serve() {
    for (uint32_t total = 0; total < kClients * kItems;) {
      uint32_t count = look();
      if (count == 0) {
        parker.begin_park();
        count = look();
        count != 0 ? parker.cancel_park() : parker.commit_park();
      }
      total += count;
    }
  }
  void finish() { World::require(!parker.wake(), "the server is awake"); }
};

}  // namespace mmt::model
