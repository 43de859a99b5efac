// Threads that end, a server that starts once, fork, and the server of a fork's child.
#pragma once

#include <cstdint>

#include <mmt/sync/client_lease.h>
#include <mmt/sync/parker.h>
#include <mmt/sync/server_role.h>
#include <mmt/sync/spsc_ring.h>
#include <mmt/sync/try_lock.h>

namespace mmt::model {

// A client: a cache that only its thread touches, and a channel whose consumer is whoever holds
// the depot lock.
template <class World>
struct SmallClient {
  sync::ClientLease<World> lease;
  typename World::template Plain<uint32_t> cached;
  sync::SpscRing<uint32_t, 2, World> ring;

  void cache_and_send(uint32_t cache, uint32_t sent) {
    cached = cached + cache;
    World::require(ring.reserve(1), "there is room");
    ring.entry(0) = sent;
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

// A thread ends, and the server and a new thread both want its client. The server wants to empty
// the client. The new thread wants to go on with what is in it, or with the emptied one. The depot
// gets each block once, whatever happens.
template <class World, bool kMayRace = false>
struct ThreadEnd {
  static constexpr int kThreads = 3;
  enum : int { kEnding, kServer, kBeginning };
  SmallClient<World> client;
  sync::TryLock<World> lock;
  typename World::template Plain<uint32_t> depot;
  uint32_t claimed = 0;

  ThreadEnd() { client.lease.claim_new(); }

  void thread(int index) {
    switch (index) {
      case kEnding:
        client.cache_and_send(1, 10);
        client.lease.leave();
        return;
      case kServer:
        if (!reclaim()) drain();
        return;
      default:
        if (!client.lease.adopt()) {
          if (!client.lease.claim()) return;
          World::require(client.cached == 0, "the client was emptied");
        }
        claimed = 1;
        client.cache_and_send(100, 1000);
    }
  }
  void drain() {
    lock_depot(kServer);
    depot = depot + client.drain();
    lock.unlock(kServer + 1);
  }
  bool reclaim() {
    if (kMayRace) {
      if (client.lease.state() != client.lease.kZombie) return false;
    } else if (!client.lease.begin_reclaim()) {
      return false;
    }
    lock_depot(kServer);
    depot = depot + client.cached + client.drain();
    client.cached = 0;
    lock.unlock(kServer + 1);
    client.lease.end_reclaim();
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

// A thread that ends without a server empties its client itself; the next has it then.
template <class World>
struct ThreadEndAlone {
  static constexpr int kThreads = 2;
  SmallClient<World> client;
  uint32_t claimed = 0;

  ThreadEndAlone() { client.lease.claim_new(); }

  void thread(int index) {
    if (index == 0) {
      client.lease.leave_to_self();
      client.cached = 0;
      client.lease.end_reclaim();
      return;
    }
    World::require(!client.lease.adopt(), "nobody may have what is being emptied");
    if (!client.lease.claim()) return;
    claimed = 1;
    client.cached = client.cached + 1;
  }
  void finish() { World::require(client.cached == claimed, "one user at a time"); }
};

// A zombie is emptied while memory is short, and put back for the server, which empties it again.
template <class World>
struct ZombiePutBack {
  static constexpr int kThreads = 2;
  SmallClient<World> client;
  uint32_t gathered = 0;
  uint32_t served = 0;

  ZombiePutBack() {
    client.lease.claim_new();
    client.cached = 1;
    client.lease.leave();
  }
  void thread(int index) {
    if (index == 0) {
      if (!client.lease.begin_reclaim()) return;
      gathered = client.cached;
      client.cached = 0;
      return client.lease.put_back();
    }
    World::await([&] { return client.lease.begin_reclaim(); });
    served = client.cached;
    client.cached = 0;
    client.lease.end_reclaim();
  }
  void finish() {
    World::require(gathered + served == 1, "each block is there once");
    World::require(client.lease.claim(), "it is free");
  }
};

// The server sleeps until the last thread's client is there to be emptied.
template <class World>
struct ZombieWakes {
  static constexpr int kThreads = 2;
  SmallClient<World> client;
  sync::Parker<World> parker;

  ZombieWakes() { client.lease.claim_new(); }

  void thread(int index) {
    if (index == 0) {
      client.cached = 1;
      client.lease.leave();
      parker.wake_if_parked();
      return;
    }
    while (!client.lease.begin_reclaim()) {
      parker.begin_park();
      client.lease.state() == client.lease.kZombie ? parker.cancel_park() : parker.commit_park();
    }
    World::require(client.cached == 1, "what is to be emptied is there");
    client.lease.end_reclaim();
  }
  void finish() { World::require(client.lease.claim(), "it is free"); }
};

// Two threads cross the threshold; one of them starts the server, which finds what was sent before.
// kSleeps: it parks whenever it finds nothing.
template <class World, bool kSleeps>
struct ServerStart {
  static constexpr int kThreads = 3;
  sync::ServerRole<World> role;
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
      created.store(1, std::memory_order_release);
    }
    if (index == 0) send(0);
  }
  void send(uint32_t index) {
    clients[index].cache_and_send(0, 1);
    if (kSleeps) parker.wake_if_parked();
  }
  uint32_t look() { return clients[0].drain() + clients[1].drain(); }
  void serve() {
    World::await([&] { return created.load(std::memory_order_acquire) != 0; });
    role.running();
    for (uint32_t total = 0; total < 2;) {
      uint32_t count = 0;
      if (kSleeps) {
        if ((count = look()) == 0) {
          parker.begin_park();
          count = look();
          count != 0 ? parker.cancel_park() : parker.commit_park();
        }
      } else {
        World::await([&] { return (count = look()) != 0; });
      }
      total += count;
    }
  }
  void finish() {
    World::require(starts[0] + starts[1] == 1, "one of them starts it");
    World::require(role.is_running(), "it runs");
  }
};

// A server ends, because it was told to; whoever crosses the threshold next starts another, which
// goes on with what the first left.
template <class World>
struct ServerRestart {
  static constexpr int kThreads = 3;
  enum : int { kClient, kFirst, kSecond };
  sync::ServerRole<World> role;
  typename World::template Plain<uint32_t> server;    // its state: queues, timers
  typename World::template Atomic<uint32_t> created;  // stands for thread creation
  uint32_t started = 0;

  ServerRestart() {
    World::require(role.claim_start(), "the first server");
    role.running();
  }
  void thread(int index) {
    switch (index) {
      case kClient:
        started = role.claim_start();
        created.store(1 + started, std::memory_order_release);
        return;
      case kFirst:
        server = server + 1;
        role.end();
        return;
      default:
        World::await([&] { return created.load(std::memory_order_acquire) != 0; });
        if (started == 0) return;
        World::require(server == 1, "the first is done");
        server = server + 1;
        role.running();
    }
  }
  void finish() {
    World::require(server == 1 + started, "one server at a time");
    World::require(role.is_running() == (started == 1), "the second runs");
  }
};

// A client forks while the server works. The parent goes on. In the child the depot is whole, the
// lock works, and a new server finds what was sent. The value kLocks = false leaves out the lock
// that this needs. With kSleeps, the parent's server parks whenever it finds nothing.
template <class World, bool kSleeps, bool kLocks = true>
struct Fork {
  static constexpr int kThreads = 2;
  static constexpr bool kForks = true;
  enum : uint32_t { kClientId = 1, kServerId, kChildServerId };
  SmallClient<World> client;
  sync::TryLock<World> lock;
  sync::Parker<World> parker;
  sync::ServerRole<World> role;
  // The depot's two halves agree whenever the lock is free.
  typename World::template Plain<uint32_t> depot;
  typename World::template Atomic<uint32_t> depot_again;  // between the two a fork can come

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
    send();
    if (kLocks) World::require(lock.lock(kClientId, 0), "fork's prepare handler waits");
    if (World::choose(2) == 0) {
      if (kLocks) lock.unlock(kClientId);
      World::require(depot_read() <= 1, "the depot is whole");
      send();
      return;
    }
    World::become_child();
    lock.reset_in_child();
    parker.reset_in_child();
    role.reset_in_child();
    World::require(role.claim_start(), "the child starts its own server");
    role.running();
    World::require(depot_read() <= 1, "the depot is whole");
    World::require(serve_once(kChildServerId) == 1, "what was sent before the fork is found");
    send();
    World::require(serve_once(kChildServerId) == 2, "what is sent later is found too");
  }
  void send() {
    client.cache_and_send(0, 1);
    if (kSleeps) parker.wake_if_parked();
  }
  uint32_t depot_read() {
    World::require(lock.lock(kClientId, 0), "the lock works");
    const uint32_t sum = depot;
    World::require(sum == depot_again.load(sync::kRelaxed), "a step under the lock is whole");
    lock.unlock(kClientId);
    return sum;
  }
  uint32_t drain(uint32_t self) {
    World::require(lock.lock(self, 0), "the server waits for the lock");
    const uint32_t count = client.drain();
    const uint32_t sum = depot + count;
    depot = sum;
    depot_again.store(sum, sync::kRelaxed);
    lock.unlock(self);
    return count;
  }
  // One look and, if it finds nothing, one sleep; says what the depot holds then.
  uint32_t serve_once(uint32_t self) {
    const auto has_work = [&] { return client.ring.size_hint() != 0; };
    if (has_work()) {
      drain(self);
    } else if (self == kServerId && kSleeps) {
      parker.begin_park();
      has_work() ? parker.cancel_park() : parker.commit_park();
    } else if (self == kServerId) {
      World::await(has_work);
    }
    return depot_again.load(sync::kRelaxed);
  }
  void finish() {
    World::require(depot == 2 && depot_again.load(sync::kRelaxed) == 2, "each block is there once");
  }
};

}  // namespace mmt::model
