// How it begins: the heap is opened once, by whoever comes first, and clients are made and found.
#pragma once

#include <cstdint>

#include <mmt/sync/opening.h>
#include <mmt/sync/parker.h>
#include <mmt/sync/registry.h>

#include "scenarios/life_cycle.h"

namespace mmt::model {

// Two threads need the heap at once. Opening it may fail, and the thread that needs it then tries
// again.
template <class World>
struct HeapOpening {
  static constexpr int kThreads = 2;
  sync::Opening<World> opening;
  typename World::template Plain<uint32_t> attempts;
  typename World::template Plain<uint32_t> heap;
  bool opened[kThreads] = {};

  void thread(int index) {
    opened[index] = open();
    if (opened[index]) World::require(heap == 1, "the heap is complete");
    if (!opened[index] && open()) World::require(heap == 1, "the heap of the next attempt is");
  }
  bool open() {
    if (opening.begin()) {
      attempts = attempts + 1;
      const bool works = World::choose(2) == 0;
      if (works) heap = heap + 1;
      opening.finish(works);
    }
    auto state = opening.kOpening;
    World::await([&] { return (state = opening.state()) != opening.kOpening; });
    return state == opening.kOpen;
  }
  void finish() {
    World::require(heap <= 1 && heap <= attempts, "it is opened once");
    World::require(heap == 1 || !(opened[0] || opened[1]), "who says so has it");
  }
};

// Two threads make clients, of which `kMost` have room; a third looks for them meanwhile.
template <class World, uint32_t kMost>
struct ClientsMade {
  static constexpr int kThreads = 3;
  struct Client {
    typename World::template Plain<uint32_t> made;
  };
  sync::Registry<Client, kMost, World> registry;
  Client clients[2];
  uint32_t added = 0;

  void thread(int index) {
    if (index < 2) return make(clients[index]);
    look();
  }
  void make(Client& client) {
    uint32_t number = 0;
    if (!registry.reserve(&number)) return;
    client.made = 1;
    registry.add(number, &client);
    ++added;
  }
  uint32_t look() {
    uint32_t found = 0;
    for (uint32_t i = 0; i < registry.count(); ++i) {
      Client* client = registry.at(i);
      if (client == nullptr) continue;
      World::require(client->made == 1, "a client that is found is complete");
      ++found;
    }
    return found;
  }
  void finish() {
    World::require(added == kMost && look() == kMost, "as many as there is room for");
    Client more;
    make(more);
    World::require(added == kMost && registry.count() == kMost, "and no more");
  }
};

// A thread makes its client and sends; the server, which sleeps when it finds nothing, finds it.
template <class World>
struct ClientMadeWhileParking {
  static constexpr int kThreads = 2;
  sync::Registry<SmallClient<World>, 2, World> registry;
  SmallClient<World> client;
  sync::Parker<World> parker;

  void thread(int index) {
    if (index == 1) return serve();
    uint32_t number = 0;
    World::require(registry.reserve(&number), "there is room");
    client.lease.claim_new();
    registry.add(number, &client);
    client.cache_and_send(1, 10);
    parker.wake_if_parked();
  }
  uint32_t look() {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < registry.count(); ++i) {
      if (SmallClient<World>* found = registry.at(i)) sum += found->drain();
    }
    return sum;
  }
  void serve() {
    while (look() == 0) {
      parker.begin_park();
      if (look() != 0) return parker.cancel_park();
      parker.commit_park();
    }
  }
  void finish() { World::require(!parker.wake(), "the server is awake"); }
};

}  // namespace mmt::model
