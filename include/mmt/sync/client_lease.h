// Says which thread may use a client's structures. It is the life of one entry of the client
// registry, from thread to thread. States and legal calls:
//   - free        in the pool: claim() by any thread that needs a client.
//   - live        one thread's, which calls leave() or leave_to_self() when it ends.
//   - zombie      its thread has ended: adopt() by a thread that needs a client, with all that is
//                 in it, or begin_reclaim(). The thread that comes first has it.
//   - reclaiming  the caller of begin_reclaim() or leave_to_self() empties it, and then calls
//                 end_reclaim(), or put_back() when somebody may still add to it.
//
// The winner of claim(), adopt() and begin_reclaim() sees all that the owner before did. Losers
// must leave the client alone, even if it was a zombie when they looked. All zero is valid: free.
#pragma once

#include <cstdint>

#include <mmt/core/check.h>
#include <mmt/core/compiler.h>
#include <mmt/sync/model.h>

namespace mmt::sync {

inline constexpr OrderSite kLeaseClaim{
    "client_lease.claim", std::memory_order_acquire,
    "kLeaseEndReclaim: the client was emptied before the next thread uses it"};
inline constexpr OrderSite kLeaseAdopt{
    "client_lease.adopt", std::memory_order_acquire,
    "kLeaseLeave: the ended thread is done with the client before the next uses what is in it"};
inline constexpr OrderSite kLeaseLeave{"client_lease.leave", std::memory_order_release,
                                       "kLeaseBeginReclaim and kLeaseAdopt: the ended thread is "
                                       "done with the client before others use "
                                       "it"};
inline constexpr OrderSite kLeaseBeginReclaim{
    "client_lease.begin_reclaim", std::memory_order_acquire,
    "kLeaseLeave: the client is emptied after its thread is done with it"};
inline constexpr OrderSite kLeasePutBack{"client_lease.put_back", std::memory_order_release,
                                         "kLeaseBeginReclaim and kLeaseAdopt: as kLeaseLeave"};
inline constexpr OrderSite kLeaseEndReclaim{
    "client_lease.end_reclaim", std::memory_order_release,
    "kLeaseClaim: the client was emptied before the next thread uses it"};

template <class Sync = RealSync>
class ClientLease {
 public:
  enum State : uint32_t { kFree = 0, kLive, kZombie, kReclaiming };

  // free -> live.
  bool claim() { return move(kFree, kLive, kLeaseClaim); }

  // zombie -> live. What the ended thread had cached is the caller's.
  bool adopt() { return move(kZombie, kLive, kLeaseAdopt); }

  // free -> live, by the thread that made it, before anybody else can find it.
  void claim_new() { state_.store(kLive, kRelaxed); }

  // live -> zombie, by its thread, which uses it no more. Wake the server then.
  void leave() { state_.store(kZombie, Sync::order(kLeaseLeave)); }

  // live -> reclaiming, by its thread, when there is no server.
  void leave_to_self() { state_.store(kReclaiming, kRelaxed); }

  // zombie -> reclaiming; one caller wins.
  bool begin_reclaim() { return move(kZombie, kReclaiming, kLeaseBeginReclaim); }

  // reclaiming -> free.
  void end_reclaim() {
    MMT_DEBUG_CHECK(state() == kReclaiming, "the client is not being reclaimed", state());
    state_.store(kFree, Sync::order(kLeaseEndReclaim));
  }

  // reclaiming -> zombie, emptied as far as it could be.
  void put_back() {
    MMT_DEBUG_CHECK(state() == kReclaiming, "the client is not being reclaimed", state());
    state_.store(kZombie, Sync::order(kLeasePutBack));
  }

  // A fork's child, whose only thread has the client: that of a thread which is not there.
  void orphan_in_child() { state_.store(kReclaiming, kRelaxed); }

  // Any thread may call it. Relaxed: a guess, worth a try of claim() or begin_reclaim().
  State state() const { return static_cast<State>(state_.load(kRelaxed)); }

 private:
  bool move(uint32_t from, State to, const OrderSite& site) {
    // Relaxed: only the exchange that succeeds is ordered; the load spares the line.
    return state_.load(kRelaxed) == from &&
           state_.compare_exchange_strong(from, to, Sync::order(site), kRelaxed);
  }

  typename Sync::template Atomic<uint32_t> state_{};
};

}  // namespace mmt::sync
