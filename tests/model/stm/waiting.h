// What rests on epochs: reclamation, privatization, the gate, a new clock.
#pragma once

#include <cstdint>

#include <mmt/stm/design/table.h>

#include "stm/model_world.h"

namespace mmt::model {

enum class Patience { kQuiesce, kEpoch, kNone };

// One unlinks a block and frees it when that is safe; the other reads it, if it is linked.
template <class World, stm::Design kDesign, bool kDeferred, Patience kPatience>
struct Reclaim : TwoWords<World> {
  static constexpr int kThreads = 2;
  Reclaim() : TwoWords<World>(kDesign, kDeferred) {}
  typename World::template Plain<uint32_t> block;
  uint32_t member = this->shared.epochs.add();

  void thread(int index) {
    auto& epochs = this->shared.epochs;
    if (index == 1) epochs.announce(member);
    ModelAttempt<World> attempt(*this, index);
    if (index == 1) {
      // Linked while x is 0.
      const uint64_t unlinked = attempt.read(this->x);
      if (attempt.runs() && unlinked == 0) {
        // A race with whoever frees it.
        static_cast<void>(static_cast<uint32_t>(block));
      }
      attempt.commit();
      epochs.leave(member);
      return;
    }
    attempt.write(this->x, 1);
    const bool committed = attempt.commit();
    if (!committed) return;
    if constexpr (kPatience == Patience::kQuiesce) {
      epochs.wait_until_passed(epochs.advance());
    } else if constexpr (kPatience == Patience::kEpoch) {
      const uint64_t epoch = epochs.now();
      epochs.advance();
      if (!epochs.passed(epoch)) return;
    }
    block = 1;
  }
  void finish() {}
};

// One makes a word its own and writes it plainly; the other writes it while it is shared.
template <class World, stm::Design kDesign, bool kDeferred>
struct Privatize : TwoWords<World> {
  static constexpr int kThreads = 2;
  Privatize() : TwoWords<World>(kDesign, kDeferred) {}
  uint32_t member = this->shared.epochs.add();
  bool taken = false;

  void thread(int index) {
    auto& epochs = this->shared.epochs;
    if (index == 1) epochs.announce(member);
    ModelAttempt<World> attempt(*this, index);
    if (index == 1) {
      if (attempt.read(this->x) == 0) attempt.write(this->y, 1);
      attempt.commit();
      epochs.leave(member);
      return;
    }
    attempt.write(this->x, 1);
    taken = attempt.commit();
    if (!taken) return;
    epochs.wait_until_passed(epochs.advance());
    this->y.store(7, sync::kRelaxed);
  }
  void finish() {
    if (taken) World::require(this->y.load(sync::kRelaxed) == 7, "nobody writes it any more");
  }
};

// An attempt that is late has written a word; another thread's commit takes it out, and a third
// sees that and writes it plainly. The first two are one here, in the order that leads to the
// fault.
template <class World, stm::Design kDesign, bool kWaits>
struct UsedByAnother : TwoWords<World> {
  static constexpr int kThreads = 2;
  UsedByAnother() : TwoWords<World>(kDesign, false) {}
  uint32_t late = this->shared.epochs.add();
  uint32_t taker = this->shared.epochs.add();
  uint32_t user = this->shared.epochs.add();
  bool used = false;

  void thread(int index) { index == 0 ? take() : use(); }
  void take() {
    auto& epochs = this->shared.epochs;
    epochs.announce(late);
    ModelAttempt<World> first(*this, static_cast<int>(late));
    if (first.read(this->x) == 0) first.write(this->y, 1);
    epochs.announce(taker);
    ModelAttempt<World> second(*this, static_cast<int>(taker));
    second.write(this->x, 1);
    epochs.begin_privatizing(taker);
    const bool taken = second.commit();
    epochs.leave(taker);
    first.commit();
    epochs.leave(late);
    if (taken) epochs.wait_until_passed(epochs.advance());
    epochs.end_privatizing(taker);
  }
  void use() {
    auto& epochs = this->shared.epochs;
    epochs.announce(user);
    ModelAttempt<World> attempt(*this, static_cast<int>(user), true);
    const bool taken = attempt.read(this->x) == 1;
    used = attempt.commit() && taken;
    epochs.leave(user);
    if constexpr (kWaits) epochs.wait_for_privatizing();
    if (used) this->y.store(7, sync::kRelaxed);
  }
  void finish() {
    if (used) World::require(this->y.load(sync::kRelaxed) == 7, "its user's own");
  }
};

// Two close the gate, or one does and another runs: one at a time, or they race.
template <class World, int kClosers>
struct Gate : TwoWords<World> {
  static constexpr int kThreads = 2;
  Gate() : TwoWords<World>(stm::Design::kNorec, false) {}
  typename World::template Plain<uint32_t> alone;
  uint32_t members[2] = {this->shared.epochs.add(), this->shared.epochs.add()};

  void thread(int index) {
    auto& epochs = this->shared.epochs;
    const uint32_t self = members[index & 1];
    if (index < kClosers) {
      epochs.close(self);
      epochs.announce(self);
      alone = alone + 1;
      epochs.leave(self);
      epochs.open();
      return;
    }
    if (!epochs.enter(self)) {
      World::await([&] { return !epochs.closed(); });
      World::require(epochs.enter(self), "it is closed once");
    }
    alone = alone + 1;
    epochs.leave(self);
  }
  void finish() {}
};

// A thread ends, another takes its member; a thread that asks for it finds it running.
template <class World>
struct MemberHandedOn {
  static constexpr int kThreads = 2;
  stm::Epochs<World> epochs;
  uint32_t first = epochs.add();

  void thread(int index) {
    if (index == 0) {
      World::require(epochs.enter(first), "the gate is open");
      epochs.leave(first);
      epochs.remove(first);
      return;
    }
    epochs.announce(epochs.add());
  }
  void finish() { World::require(!epochs.passed(epochs.advance()), "it runs still"); }
};

// The clock begins anew while another wants to begin, or runs. The first thread commits kFirst
// times, and the clock has kLimit times.
template <class World, stm::Design kDesign, bool kDeferred, int kFirst = 2, uint64_t kLimit = 2>
struct RollOver : TwoWords<World> {
  static constexpr int kThreads = 2;
  RollOver() : TwoWords<World>(kDesign, kDeferred, kLimit) {}
  uint32_t members[2] = {this->shared.epochs.add(), this->shared.epochs.add()};
  uint64_t committed = 0;

  void thread(int index) {
    for (int i = 0; i < (index == 0 ? kFirst : 1); ++i) once(index);
  }
  void once(int index) {
    auto& epochs = this->shared.epochs;
    const uint32_t self = members[index];
    for (;;) {
      while (!epochs.enter(self)) World::await([&] { return !epochs.closed(); });
      if (this->shared.now() < this->shared.options.clock_limit) break;
      epochs.leave(self);
      epochs.close(self);
      if (this->shared.now() >= this->shared.options.clock_limit) this->shared.begin_anew();
      epochs.open();
    }
    ModelAttempt<World> attempt(*this, index);
    attempt.write(this->x, attempt.read(this->x) + 1);
    if (attempt.commit()) ++committed;
    epochs.leave(self);
  }
  void finish() {
    World::require(this->x.load(sync::kRelaxed) == committed, "a new clock loses no increment");
  }
};

}  // namespace mmt::model
