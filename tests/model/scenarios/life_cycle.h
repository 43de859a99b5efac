// Threads that end, a server that starts once, fork, and the server of a fork's child.
#pragma once

#include <cstdint>

#include <mmt/sync/client_slot.h>
#include <mmt/sync/doorbell.h>
#include <mmt/sync/parker.h>
#include <mmt/sync/server_role.h>
#include <mmt/sync/spsc_ring.h>
#include <mmt/sync/try_lock.h>

namespace mmt::model {

// A client: a cache that only its thread touches, and a channel whose consumer is whoever holds
// the depot lock.
template <class World>
struct SmallClient {
  sync::ClientSlot<World> slot;
  typename World::template Plain<uint32_t> cached;
  sync::SpscRing<uint32_t, 2, World> ring;

  void cache_and_send(uint32_t cache, uint32_t sent) {
    cached = cached + cache;
    World::require(ring.reserve(1), "there is room");
    ring.slot(0) = sent;
    ring.publish(1);
  }
  uint32_t drain() {
    uint32_t sum = 0;
    while (ring.readable() != 0) {
      sum += ring.at(0);
      ring.consume(1);
    }
    return sum;
  }
};

// A thread ends and rings; server and a new thread both want to empty its client; the new one may
// then use it. Whatever happens, the depot gets each block once.
template <class World, bool kMayRace = false>
struct ThreadEnd {
  static constexpr int kThreads = 3;
  enum : int { kEnding, kServer, kBeginning };
  SmallClient<World> client;
  sync::TryLock<World> lock;
  sync::Doorbell<1, World> bell;
  sync::Parker<World> parker;
  typename World::template Plain<uint32_t> depot;
  uint32_t claimed = 0;

  ThreadEnd() { client.slot.claim_new(); }

  void thread(int index) {
    switch (index) {
      case kEnding:
        client.cache_and_send(1, 10);
        client.slot.leave();
        if (bell.ring(0)) parker.wake_if_parked();
        return;
      case kServer:
        return serve();
      default:
        reclaim(index);
        if (!client.slot.claim()) return;
        claimed = 1;
        World::require(client.cached == 0, "the client was emptied");
        client.cache_and_send(100, 1000);
    }
  }
  void serve() {
    for (bool looked = false; !looked;) {
      bell.for_each_rung([&](uint32_t) {
        looked = true;
        if (reclaim(kServer)) return;
        lock_depot(kServer);
        depot = depot + client.drain();
        lock.unlock(kServer + 1);
      });
      if (looked) return;
      parker.begin_park();
      bell.any_rung() ? parker.cancel_park() : parker.commit_park();
    }
  }
  bool reclaim(int index) {
    if (kMayRace) {
      if (client.slot.state() != client.slot.kZombie) return false;
    } else if (!client.slot.begin_reclaim()) {
      return false;
    }
    lock_depot(index);
    depot = depot + client.cached + client.drain();
    client.cached = 0;
    lock.unlock(static_cast<uint32_t>(index) + 1);
    client.slot.end_reclaim();
    return true;
  }
  void lock_depot(int index) {
    World::require(lock.lock(static_cast<uint32_t>(index) + 1, 0), "the lock is not held twice");
  }
  void finish() {
    const uint32_t total = depot + client.cached + client.drain();
    World::require(total == 11 + claimed * 1100, "each block is there once");
  }
};

// Two threads cross the threshold; one of them starts the server, which finds what was sent before.
// kSleeps: it parks whenever it finds nothing.
template <class World, bool kSleeps>
struct ServerStart {
  static constexpr int kThreads = 3;
  sync::ServerRole<World> role;
  sync::Doorbell<2, World> bell;
  sync::Parker<World> parker;
  SmallClient<World> clients[2];
  typename World::template Atomic<uint32_t> created;  // stands for thread creation
  uint32_t starts[2] = {};

  void thread(int index) {
    if (index == 2) return serve();
    // The second sends before it looks for a server, the first after.
    if (index == 1) send(1);
    if (role.claim_start()) {
      ++starts[index];
      bell.ring_all();
      created.store(1, std::memory_order_release);
      role.running();
    }
    if (index == 0) send(0);
  }
  void send(uint32_t index) {
    clients[index].cache_and_send(0, 1);
    if (bell.ring(index) && kSleeps) parker.wake_if_parked();
  }
  void serve() {
    World::await([&] { return created.load(std::memory_order_acquire) != 0; });
    for (uint32_t total = 0; total < 2;) {
      if (!kSleeps) World::await([&] { return bell.any_rung(); });
      uint32_t count = 0;
      bell.for_each_rung([&](uint32_t i) { count += clients[i].drain(); });
      total += count;
      if (count != 0 || !kSleeps) continue;
      parker.begin_park();
      bell.any_rung() ? parker.cancel_park() : parker.commit_park();
    }
  }
  void finish() {
    World::require(starts[0] + starts[1] == 1, "one of them starts it");
    World::require(role.is_running(), "it runs");
  }
};

// A client forks while the server works, at every point where the depot lock is free. The parent
// goes on; in the child the depot is whole, the lock works, and a new server finds what was sent.
// kFirstLook = false leaves out the ring_all() that this needs.
template <class World, bool kFirstLook = true>
struct Fork {
  static constexpr int kThreads = 2;
  static constexpr bool kForks = true;
  enum : uint32_t { kClientId = 1, kServerId, kChildServerId };
  SmallClient<World> client;
  sync::TryLock<World> lock;
  sync::Doorbell<1, World> bell;
  sync::Parker<World> parker;
  sync::ServerRole<World> role;
  // The depot's two halves agree whenever the lock is free.
  typename World::template Plain<uint32_t> depot;
  typename World::template Plain<uint32_t> depot_again;
  bool child = false;

  Fork() {
    World::require(role.claim_start(), "the first server");
    role.running();
  }

  void thread(int index) {
    if (index == 1) {
      while (serve_once(kServerId) < 2) {
      }
      return;
    }
    client.cache_and_send(0, 1);
    if (bell.ring(0)) parker.wake_if_parked();
    World::require(lock.lock(kClientId, 0), "fork's prepare handler waits for the lock");
    if (World::choose(2) == 0) {
      lock.unlock(kClientId);
    } else {
      World::become_child();
      child = true;
      lock.reset_in_child();
      parker.reset_in_child();
      role.reset_in_child();
      World::require(role.claim_start(), "the child starts its own server");
      if (kFirstLook) bell.ring_all();
      role.running();
    }
    World::require(depot_read() <= 1, "the depot is whole");
    if (child) serve_once(kChildServerId);  // all that was sent before the fork is found
    if (child) World::require(depot_read() == 1, "and there once");
    client.cache_and_send(0, 1);
    if (bell.ring(0)) parker.wake_if_parked();
    if (child) World::require(serve_once(kChildServerId) == 2, "what is sent later is found too");
  }
  uint32_t depot_read() {
    World::require(lock.lock(kClientId, 0), "the lock works");
    const uint32_t sum = depot;
    World::require(sum == depot_again, "a step under the lock is whole");
    lock.unlock(kClientId);
    return sum;
  }
  // One look and, if it finds nothing, one sleep; says what the depot holds then.
  uint32_t serve_once(uint32_t self) {
    bool rung = false;
    uint32_t sum = 0;
    bell.for_each_rung([&](uint32_t) {
      rung = true;
      World::require(lock.lock(self, 0), "the server waits for the lock");
      const uint32_t count = client.drain();
      depot = depot + count;
      depot_again = depot_again + count;
      sum = depot;
      lock.unlock(self);
    });
    if (rung || self == kChildServerId) return sum;
    parker.begin_park();
    bell.any_rung() ? parker.cancel_park() : parker.commit_park();
    return 0;
  }
  void finish() { World::require(depot == 2 && depot_again == 2, "each block is there once"); }
};

}  // namespace mmt::model
