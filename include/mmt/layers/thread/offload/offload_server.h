// The memory thread of an OffloadHeap: fills the boxes that clients ask for, takes their surplus,
// empties what ended threads left. It holds the depot's lock for a few operations at a time, never
// while it waits. Out of work it spins, naps, and parks (sync/ladder.h).
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>

#include <mmt/layers/thread/offload/depot.h>
#include <mmt/layers/thread/offload/offload_client.h>
#include <mmt/sync/ladder.h>
#include <mmt/sync/parker.h>
#include <mmt/sync/registry.h>
#include <mmt/sync/rest.h>

namespace mmt::layers {

inline constexpr uint32_t kMaxClients = 1024;
using Clients = sync::Registry<OffloadClient, kMaxClients>;

// What a server does for others between two steps, and before it parks: nothing.
struct NoErrands {
  static void open() {}
  static bool are_waiting() { return false; }
  static void run() {}
  // For the server, often, with a clock: it is to leave.
  template <class Clock>
  static bool must_leave(Clock&&) {
    return false;
  }
  static void close() {}
  // The caller that starts a server asks this once so many bytes were taken without one. True: it
  // is not to come yet.
  static bool stays_away(uint64_t) { return false; }
};

template <class DepotType, class Errands = NoErrands>
class OffloadServer {
 public:
  using Hold = DepotHold<DepotType>;
  // Operations a hold of the lock.
  static constexpr uint32_t kStep = 8;

  constexpr OffloadServer(DepotType& depot, Clients& clients) : depot_(depot), clients_(clients) {}

  // Until stop(), or until nothing but this thread is left. Threads: see pthread_server.h.
  template <class Threads>
  void run() {
    const uint32_t self = Threads::self();  // its identity for the lock
    sync::Ladder ladder;
    ladder.set_limits({20'000, 20'000, 1'000'000, 20'000'000});
    ladder.worked(Threads::now_ns());
    Errands::open();
    while (!stop_.load(std::memory_order_relaxed) && !Errands::must_leave(Threads::now_ns)) {
      if (Errands::are_waiting()) Errands::run();
      if (look(self)) {
        ladder.worked(Threads::now_ns());
        continue;
      }
      sync::rest(ladder, parker_, Threads::now_ns(), [&] { park<Threads>(self); });
    }
    Errands::close();
    stop_.store(false, std::memory_order_relaxed);
  }

  // Any thread: the running server leaves soon.
  void stop() {
    stop_.store(true, std::memory_order_relaxed);
    parker_.wake();
  }
  // Any thread: there is work.
  void notify() { parker_.wake_if_parked(); }
  // This is the same for a thread that waits for it, as for an errand: it wakes the server also
  // amid a nap.
  void wake() { parker_.wake(); }

  // Gives all that a client holds to the depot. Nobody else uses the client.
  void empty(const Hold& hold, OffloadClient& client) {
    while (drain(hold, client, OffloadClient::kRing)) {
    }
    give_spilled(hold, client);
    for (uint32_t c = 1; c < SizeTable::kClasses; ++c) {
      Magazine& magazine = client.magazine(c);
      while (!magazine.is_empty()) depot_.give(magazine.pop());
      if (SupplyBox* box = client.box(c)) empty_box(*box);
    }
  }
  // Its client's thread calls it, or a thread as above.
  void give_spilled(const Hold&, OffloadClient& client) {
    while (!client.spilled().is_empty()) depot_.give(client.spilled().pop());
  }
  // The function gives up to `most` blocks of surplus back. The caller holds the depot, as for all
  // that is done at this end of the ring. A false result means that there were none.
  bool drain(const Hold&, OffloadClient& client, uint32_t most) {
    auto& surplus = client.surplus();
    const uint32_t there = surplus.readable();
    const uint32_t count = there < most ? there : most;
    for (uint32_t i = 0; i < count; ++i) depot_.give(reinterpret_cast<void*>(surplus.at(i)));
    if (count != 0) surplus.consume(count);
    return count != 0;
  }

  void reset_in_child() {
    parker_.reset_in_child();
    stop_.store(false, std::memory_order_relaxed);
  }

 private:
  void empty_box(SupplyBox& box) {
    void* blocks[SupplyBox::kMost];
    if (!box.is_full()) box.hand_over();
    const uint32_t count = box.take_all(blocks);
    for (uint32_t i = 0; i < count; ++i) depot_.give(blocks[i]);
  }

  // Makes one round. False: there was nothing to do.
  bool look(uint32_t self) {
    bool worked = false;
    const uint32_t count = clients_.count();
    for (uint32_t i = 0; i < count; ++i) {
      OffloadClient* client = clients_.at(i);
      if (client != nullptr) worked |= serve(*client, self);
    }
    return worked;
  }

  bool serve(OffloadClient& client, uint32_t self) {
    if (client.lease().state() == client.lease().kZombie && client.lease().begin_reclaim()) {
      reclaim(client, self);
      return true;
    }
    // Supply first: somebody may wait for it soon.
    bool worked = supply_wanted(client, self);
    for (uint32_t rounds = 0; rounds < 8 && client.surplus().size_hint() != 0; ++rounds) {
      const Hold hold(depot_, self);
      worked |= drain(hold, client, kStep);
    }
    return worked;
  }

  bool supply_wanted(OffloadClient& client, uint32_t self) {
    bool worked = false;
    for (uint32_t word = 0; word < OffloadClient::kWords; ++word) {
      for (uint64_t bits = client.take_wanted(word); bits != 0; bits &= bits - 1) {
        const auto c = static_cast<uint32_t>(std::countr_zero(bits)) + word * 64;
        if (SupplyBox* box = client.box(c)) worked |= fill(*box, c, self);
      }
    }
    return worked;
  }

  bool fill(SupplyBox& box, uint32_t c, uint32_t self) {
    if (!box.is_filling()) return false;
    const uint32_t target = OffloadClient::batch_for(c);
    while (box.count() < target) {
      const Hold hold(depot_, self);
      for (uint32_t i = 0; i < kStep && box.count() < target; ++i) {
        void* block = depot_.take(c);
        if (block == nullptr) return false;
        box.add(block);
      }
    }
    box.hand_over();
    return true;
  }

  void reclaim(OffloadClient& client, uint32_t self) {
    {
      const Hold hold(depot_, self);
      empty(hold, client);
    }
    client.lease().end_reclaim();
  }

  template <class Threads>
  void park(uint32_t self) {
    const auto stays = [&] {
      if (Errands::are_waiting() || look(self) || stop_.load(std::memory_order_relaxed))
        return true;
      if (!Threads::is_last()) return false;
      stop_.store(true, std::memory_order_relaxed);
      return true;
    };
    sync::park(parker_, sync::kForever, 10'000'000, stays, Threads::sleep);
  }

  DepotType& depot_;
  Clients& clients_;
  sync::Parker<> parker_;
  std::atomic<bool> stop_{false};
};

}  // namespace mmt::layers
