// Transactions of two and three threads, of each design, in every execution.
#pragma once

#include <cstdint>

#include <mmt/stm/design/table.h>

#include "stm/model_world.h"

namespace mmt::model {

using stm::Design;

// Both increment one word: as often as they commit.
template <class World, Design kDesign, bool kDeferred>
struct Increments : TwoWords<World> {
  static constexpr int kThreads = 2;
  Increments() : TwoWords<World>(kDesign, kDeferred) {}
  uint64_t committed = 0;

  void thread(int index) {
    ModelAttempt<World> attempt(*this, index);
    attempt.write(this->x, attempt.read(this->x) + 1);
    if (attempt.commit()) ++committed;
  }
  void finish() {
    World::require(this->x.load(sync::kRelaxed) == committed, "no increment is lost");
  }
};

// Each reads what the other writes.
template <class World, Design kDesign, bool kDeferred>
struct Skew : TwoWords<World> {
  static constexpr int kThreads = 2;
  Skew() : TwoWords<World>(kDesign, kDeferred) {}
  bool committed[2] = {};
  uint64_t saw[2] = {};

  void thread(int index) {
    ModelAttempt<World> attempt(*this, index);
    saw[index] = attempt.read(index == 0 ? this->x : this->y);
    attempt.write(index == 0 ? this->y : this->x, 1);
    committed[index] = attempt.commit();
  }
  void finish() {
    World::require(!(committed[0] && committed[1]) || saw[0] + saw[1] == 1,
                   "of two that commit, the later saw the earlier");
  }
};

// One writes both words, after one of them if `kTwice`; the other reads both, and extends its
// snapshot.
template <class World, Design kDesign, bool kDeferred, bool kReadOnly, bool kTwice>
struct Snapshot : TwoWords<World> {
  static constexpr int kThreads = 2;
  Snapshot() : TwoWords<World>(kDesign, kDeferred) {}

  void thread(int index) {
    ModelAttempt<World> attempt(*this, index, index == 1 && kReadOnly);
    if (index == 1) return look(attempt);
    if constexpr (kTwice) {
      attempt.write(this->y, 1);
      attempt.commit_alone();
    }
    ModelAttempt<World> second(*this, index);
    second.write(this->x, 2);
    second.write(this->y, 2);
    second.commit_alone();
  }
  void look(ModelAttempt<World>& attempt) {
    const uint64_t x = attempt.read(this->x);
    const uint64_t y = attempt.read(this->y);
    if (!attempt.runs()) return;
    World::require(x == 0 ? y < 2 : y == 2, "both words are of one instant");
    World::require(attempt.commit(), "what only reads commits");
  }
  void finish() {}
};

// One writes and takes it back, and does so again; nobody sees it.
template <class World, Design kDesign, bool kDeferred>
struct TakenBack : TwoWords<World> {
  static constexpr int kThreads = 2;
  TakenBack() : TwoWords<World>(kDesign, kDeferred) {}

  void thread(int index) {
    if (index == 1) return look();
    for (uint64_t i = 0; i < 2; ++i) {
      ModelAttempt<World> attempt(*this, index);
      attempt.write(this->x, 7);
      attempt.roll_back();
    }
  }
  void look() {
    ModelAttempt<World> attempt(*this, 1);
    const uint64_t x = attempt.read(this->x);
    World::require(!attempt.runs() || x == 0, "what was taken back is not seen");
  }
  void finish() { World::require(this->x.load(sync::kRelaxed) == 0, "it was taken back"); }
};

// Each writes the word without a look, or writes it `kTimes` times and takes that back. A version
// that came twice would hide what was between.
template <class World, Design kDesign, bool kDeferred, int kTimes>
struct Versions : TwoWords<World> {
  static constexpr int kThreads = kTimes == 0 ? 2 : 1;
  Versions() : TwoWords<World>(kDesign, kDeferred) {}
  uint64_t committed = 0;
  uint64_t taken_back = 0;  // the orec after the first half of the times

  uint64_t orec() const { return this->shared.orecs.finder().of(&this->x).load(sync::kRelaxed); }
  void thread(int index) {
    for (int i = 0; i < kTimes; ++i) {
      if (i == kTimes / 2) taken_back = orec();
      ModelAttempt<World> attempt(*this, index);
      attempt.write(this->x, 7);
      attempt.roll_back();
    }
    if constexpr (kTimes != 0) return;
    ModelAttempt<World> attempt(*this, index);
    attempt.write(this->x, 1);
    if (attempt.commit()) ++committed;
  }
  void finish() {
    World::require(stm::orec::version(orec()) >= committed, "each commit has a version of its own");
    World::require(kTimes == 0 || orec() != taken_back, "no orec is twice what it was");
  }
};

// One writes a word twice; the other reads it twice.
template <class World, Design kDesign, bool kDeferred>
struct ReadAgain : TwoWords<World> {
  static constexpr int kThreads = 2;
  ReadAgain() : TwoWords<World>(kDesign, kDeferred) {}

  void thread(int index) {
    if (index == 1) return look();
    for (uint64_t i = 1; i <= 2; ++i) {
      ModelAttempt<World> attempt(*this, index);
      attempt.write(this->x, i);
      attempt.commit_alone();
    }
  }
  void look() {
    ModelAttempt<World> attempt(*this, 1);
    const uint64_t first = attempt.read(this->x);
    const uint64_t second = attempt.read(this->x);
    World::require(!attempt.runs() || first == second, "a word stays as it was read");
    attempt.commit();
  }
  void finish() {}
};

// One writes a word, the second another of what it saw of the first, a third reads both: it sees no
// effect without its cause.
template <class World, Design kDesign, bool kDeferred>
struct CauseAndEffect : TwoWords<World> {
  static constexpr int kThreads = 3;
  CauseAndEffect() : TwoWords<World>(kDesign, kDeferred) {}

  void thread(int index) {
    ModelAttempt<World> attempt(*this, index, index == 2);
    if (index == 0) {
      attempt.write(this->x, 1);
    } else if (index == 1) {
      attempt.write(this->y, 1 + attempt.read(this->x));
    } else {
      const uint64_t y = attempt.read(this->y);
      const uint64_t x = attempt.read(this->x);
      World::require(!attempt.runs() || y < 2 || x == 1, "the cause is older than the effect");
    }
    attempt.commit();
  }
  void finish() {}
};

}  // namespace mmt::model
