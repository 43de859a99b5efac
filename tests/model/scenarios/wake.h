// Doorbell and parker, apart and together with a channel: no work stays unseen, no wake-up is lost.
// A lost one shows as a server that waits for ever.
#pragma once

#include <cstdint>

#include <mmt/sync/doorbell.h>
#include <mmt/sync/parker.h>
#include <mmt/sync/spsc_ring.h>

namespace mmt::model {

template <class World>
struct Channel {
  sync::SpscRing<uint32_t, 2, World> ring;

  void send(uint32_t item) {
    World::await([&] { return ring.reserve(1); });
    ring.slot(0) = item;
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

// One client and one server that never sleeps.
template <class World>
struct BellAndRing {
  static constexpr int kThreads = 2;
  static constexpr uint32_t kItems = 3;
  Channel<World> channel;
  sync::Doorbell<1, World> bell;

  void thread(int index) {
    if (index == 0) {
      for (uint32_t item = 1; item <= kItems; ++item) {
        channel.send(item);
        bell.ring(0);
      }
      return;
    }
    uint32_t last = 0;
    while (last < kItems) {
      World::await([&] {
        uint32_t count = 0;
        bell.for_each_rung([&](uint32_t) { count += channel.receive(&last); });
        return count != 0;
      });
    }
  }
  void finish() {}
};

// The same with a relaxed word instead of a ring, as clients ask for supply.
template <class World>
struct BellAndWord {
  static constexpr int kThreads = 2;
  typename World::template Atomic<uint32_t> wanted;
  sync::Doorbell<1, World> bell;

  void thread(int index) {
    if (index == 0) {
      for (uint32_t want = 1; want <= 4; want *= 2) {
        wanted.fetch_or(want, sync::kRelaxed);
        bell.ring(0);
      }
      return;
    }
    uint32_t seen = 0;
    while (seen != 7) {
      World::await([&] {
        uint32_t more = 0;
        bell.for_each_rung([&](uint32_t) { more |= wanted.exchange(0, sync::kRelaxed); });
        seen |= more;
        return more != 0;
      });
    }
  }
  void finish() {}
};

// The bit alone passes the work on: its release and acquire are needed.
template <class World>
struct BellAndPlain {
  static constexpr int kThreads = 2;
  typename World::template Plain<uint32_t> work;
  sync::Doorbell<1, World> bell;

  void thread(int index) {
    if (index == 0) {
      work = 7;
      bell.ring(0);
      return;
    }
    World::await([&] {
      bool rung = false;
      bell.for_each_rung([&](uint32_t) { rung = true; });
      if (rung) World::require(work == 7, "the work is there");
      return rung;
    });
  }
  void finish() {}
};

// The server stops in the middle and comes back to a client.
template <class World>
struct BellKept {
  static constexpr int kThreads = 2;
  static constexpr uint32_t kItems = 2;
  Channel<World> channel;
  sync::Doorbell<1, World> bell;

  void thread(int index) {
    if (index == 0) {
      for (uint32_t item = 1; item <= kItems; ++item) {
        channel.send(item);
        bell.ring(0);
      }
      return;
    }
    uint32_t last = 0;
    while (last < kItems) {
      World::await([&] {
        bool worked = false;
        bell.for_each_rung([&](uint32_t) {
          if (channel.ring.readable() == 0) return;
          World::require(channel.ring.at(0) == ++last, "items come in order");
          channel.ring.consume(1);
          bell.keep(0);
          worked = true;
        });
        return worked;
      });
    }
  }
  void finish() {}
};

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

// The whole: channel, doorbell, parker; the server sleeps whenever it finds nothing.
template <class World, int kClients, uint32_t kItems>
struct SleepyServer {
  static constexpr int kThreads = kClients + 1;
  Channel<World> channels[kClients];
  sync::Doorbell<kClients, World> bell;
  sync::Parker<World> parker;

  void thread(int index) { index == kClients ? serve() : send(static_cast<uint32_t>(index)); }
  void send(uint32_t client) {
    for (uint32_t item = 1; item <= kItems; ++item) {
      channels[client].send(item);
      if (bell.ring(client)) parker.wake_if_parked();
    }
  }
  void serve() {
    uint32_t last[kClients] = {};
    for (uint32_t total = 0; total < kClients * kItems;) {
      uint32_t count = 0;
      bell.for_each_rung([&](uint32_t i) { count += channels[i].receive(&last[i]); });
      total += count;
      if (count != 0) continue;
      parker.begin_park();
      bell.any_rung() ? parker.cancel_park() : parker.commit_park();
    }
  }
  void finish() { World::require(!parker.wake(), "the server is awake"); }
};

}  // namespace mmt::model
