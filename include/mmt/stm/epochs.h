// Knows which threads run a transaction, and since when. Every wait for others rests on this alone.
//
// A thread announces the epoch at which its attempt begins, and withdraws it at the end. Whoever
// needs all attempts that now run to have ended advances the epoch and waits until none announces
// an older one (reclamation, privatization). Whoever needs nobody to run at all closes the gate
// (serial mode, irrevocability, a new clock). Nobody waits inside an announcement, except the
// holder of the gate.
//
// A commit that waits so is privatizing: what it took out of the shared words is its own only then.
// Whoever has seen that it is out, and wrote nothing, waits as well while others are privatizing.
//
// States of a member: free, idle (announces 0), running (announces epoch * 2 + 1).
#pragma once

#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/stm/world.h>

namespace mmt::stm {

inline constexpr sync::OrderSite kEpochEnter{
    "epochs.enter", std::memory_order_seq_cst,
    "kGateSeen, kGateClose, kMemberSeen: the attempt sees the gate closed, or is seen"};
inline constexpr sync::OrderSite kEpochLeave{
    "epochs.leave", std::memory_order_release,
    "kMemberSeen: who finds the thread idle knows all that its attempt did"};
inline constexpr sync::OrderSite kEpochSeen{
    "epochs.seen", std::memory_order_acquire,
    "kEpochAdvance: an attempt of a later epoch knows what was unlinked before"};
inline constexpr sync::OrderSite kEpochAdvance{"epochs.advance", std::memory_order_seq_cst,
                                               "kEpochSeen, kEpochEnter"};
inline constexpr sync::OrderSite kEpochNow{"epochs.now", std::memory_order_seq_cst,
                                           "kEpochAdvance, kEpochEnter"};
inline constexpr sync::OrderSite kMemberSeen{"epochs.member_seen", std::memory_order_seq_cst,
                                             "kEpochEnter, kEpochLeave"};
inline constexpr sync::OrderSite kMemberTake{
    "epochs.member_take", std::memory_order_acquire,
    "kMemberGive: the last announcement is that of the new owner"};
inline constexpr sync::OrderSite kMemberGive{"epochs.member_give", std::memory_order_release,
                                             "kMemberTake"};
inline constexpr sync::OrderSite kGateSeen{"epochs.gate_seen", std::memory_order_seq_cst,
                                           "kGateClose, kGateOpen"};
inline constexpr sync::OrderSite kGateClose{"epochs.gate_close", std::memory_order_seq_cst,
                                            "kEpochEnter; kGateOpen: one holder after the other"};
inline constexpr sync::OrderSite kGateOpen{"epochs.gate_open", std::memory_order_release,
                                           "kGateSeen, kGateClose: what its holder did is known"};

inline constexpr sync::OrderSite kPrivatizes{
    "epochs.privatizes", std::memory_order_relaxed,
    "kWordStore, kOrecFree: who sees what was written sees this before"};
inline constexpr sync::OrderSite kPrivatized{
    "epochs.privatized", std::memory_order_release,
    "kPrivatizingSeen: those who run have ended, and what they did is known"};
inline constexpr sync::OrderSite kPrivatizingSeen{"epochs.privatizing_seen",
                                                  std::memory_order_acquire, "kPrivatized"};

template <class World>
class Epochs {
 public:
  static constexpr uint32_t kNobody = ~uint32_t{0};

  // A member for a thread; kNobody when all are taken.
  uint32_t add() {
    for (uint32_t i = 0; i < World::kMostThreads; ++i) {
      uint32_t expected = 0;
      if (!members_[i].taken.compare_exchange_strong(expected, 1, World::order(kMemberTake),
                                                     sync::kRelaxed)) {
        continue;
      }
      uint32_t used = used_.load(sync::kRelaxed);
      while (used <= i && !used_.compare_exchange_strong(used, i + 1, World::order(kEpochEnter),
                                                         sync::kRelaxed)) {
      }
      return i;
    }
    return kNobody;
  }
  // The thread is idle.
  void remove(uint32_t self) { members_[self].taken.store(0, World::order(kMemberGive)); }

  // False: the gate is closed, and the thread stays idle.
  [[nodiscard]] bool enter(uint32_t self) {
    announce(self);
    if (MMT_LIKELY(gate_.load(World::order(kGateSeen)) == 0)) return true;
    leave(self);
    return false;
  }
  // The holder of the gate enters as well, so that it is waited for as others are.
  void announce(uint32_t self) {
    const uint64_t epoch = epoch_.load(World::order(kEpochSeen));
    members_[self].announced.store(epoch * 2 + 1, World::order(kEpochEnter));
  }
  void leave(uint32_t self) { members_[self].announced.store(0, World::order(kEpochLeave)); }

  // Close the gate with it, then wait until the others are idle.
  [[nodiscard]] bool try_close(uint32_t self) {
    uint64_t open = 0;
    return gate_.compare_exchange_strong(open, self + 1, World::order(kGateClose), sync::kRelaxed);
  }
  void open() { gate_.store(0, World::order(kGateOpen)); }
  bool closed() const { return gate_.load(World::order(kGateSeen)) != 0; }
  bool others_idle(uint32_t self) const {
    const uint32_t used = used_.load(World::order(kMemberSeen));
    for (uint32_t i = 0; i < used; ++i) {
      if (i != self && members_[i].announced.load(World::order(kMemberSeen)) != 0) return false;
    }
    return true;
  }
  void close(uint32_t self) {
    World::wait_until([&] { return try_close(self); });
    World::wait_until([&] { return others_idle(self); });
  }

  // Attempts that may know what the caller has unlinked are those of the returned epoch or before.
  uint64_t advance() { return epoch_.fetch_add(1, World::order(kEpochAdvance)); }
  // The same for a caller that advances it later.
  uint64_t now() const { return epoch_.load(World::order(kEpochNow)); }
  // All attempts of epochs before it have ended, and none will begin.
  uint64_t oldest_running() const {
    uint64_t oldest = epoch_.load(World::order(kEpochNow));
    const uint32_t used = used_.load(World::order(kMemberSeen));
    for (uint32_t i = 0; i < used; ++i) {
      const uint64_t announced = members_[i].announced.load(World::order(kMemberSeen));
      if (announced != 0 && announced / 2 < oldest) oldest = announced / 2;
    }
    return oldest;
  }
  bool passed(uint64_t epoch) const { return epoch < oldest_running(); }
  // The caller is idle.
  void wait_until_passed(uint64_t epoch) {
    World::wait_until([&] { return passed(epoch); });
  }

  // Before what the caller writes can be seen, and once those have ended who may not know it.
  void begin_privatizing(uint32_t self) {
    members_[self].privatizing.store(1, World::order(kPrivatizes));
  }
  void end_privatizing(uint32_t self) {
    members_[self].privatizing.store(0, World::order(kPrivatized));
  }
  // The caller, which is idle, may have seen what others took out. It waits as they do, not for
  // them: in a fork's child they are gone.
  void wait_for_privatizing() {
    const uint32_t used = used_.load(World::order(kMemberSeen));
    for (uint32_t i = 0; i < used; ++i) {
      if (MMT_LIKELY(members_[i].privatizing.load(World::order(kPrivatizingSeen)) == 0)) continue;
      return wait_until_passed(advance());
    }
  }

 private:
  struct alignas(core::kNoSharing) Member {
    typename World::template Atomic<uint64_t> announced{};
    typename World::template Atomic<uint32_t> taken{};
    typename World::template Atomic<uint32_t> privatizing{};  // 0 or 1
  };

  alignas(core::kNoSharing) typename World::template Atomic<uint64_t> gate_{};  // its holder + 1
  alignas(core::kNoSharing) typename World::template Atomic<uint64_t> epoch_{};
  typename World::template Atomic<uint32_t>
      used_{};  // members below it have been taken at some time
  Member members_[World::kMostThreads];
};

}  // namespace mmt::stm
