// Blocks left as bits for whoever holds the lock: each comes out once, and nobody still uses it.
#pragma once

#include <bit>
#include <cstdint>

#include <mmt/sync/parker.h>
#include <mmt/sync/returned_bits.h>
#include <mmt/sync/try_lock.h>

namespace mmt::model {

// Two spans, each with its word and its mark, and blocks 0 and 1 of the first, 2 of the second.
template <class World>
struct ReturnedSpans {
  static constexpr uint32_t kSpans = 2;
  static constexpr uint32_t kBlocks = 3;
  using Returned = sync::ReturnedBits<World>;
  Returned returned;
  typename Returned::Word words[kSpans];
  typename Returned::Word marks[kSpans];  // a word each, so that one may be put off
  typename World::template Plain<uint32_t> contents[kBlocks];
  uint32_t taken[kBlocks] = {};

  void give(uint32_t block) {
    contents[block] = 10 + block;
    const uint32_t span = block / 2;
    returned.leave(words[span], block % 2, marks[span], 5);
  }
  // At most `most` spans; false: more are waiting.
  bool collect(uint32_t most) {
    if (!returned.begin()) return true;
    for (uint32_t span = 0; span < kSpans; ++span) {
      if (Returned::take_marks(marks[span]) == 0) continue;
      take(span);
      if (--most == 0) {
        returned.put_off();
        return false;
      }
    }
    return true;
  }
  void take(uint32_t span) {
    for (uint64_t bits = Returned::take(words[span]); bits != 0; bits &= bits - 1) {
      const uint32_t block = span * 2 + static_cast<uint32_t>(std::countr_zero(bits));
      World::require(contents[block] == 10 + block, "its last user is done with it");
      contents[block] = 0;
      ++taken[block];
    }
  }
  void finish() {
    while (!collect(kSpans)) {
    }
    for (const uint32_t times : taken) World::require(times == 1, "each comes out once");
    World::require(!returned.any(), "and none is left");
  }
};

// Two threads return to one span, and one of them to another; the third collects while they do.
// `kMost` spans in a call.
template <class World, uint32_t kMost>
struct ReturnedBlocks : ReturnedSpans<World> {
  static constexpr int kThreads = 3;

  void thread(int index) {
    switch (index) {
      case 0:
        this->give(0);
        this->give(2);
        return;
      case 1:
        return this->give(1);
      default:
        this->collect(kMost);
        this->collect(kMost);
    }
  }
};

// Two holders of a lock, one after the other, while a thread returns a block of each span.
template <class World>
struct ReturnedToTwoHolders : ReturnedSpans<World> {
  static constexpr int kThreads = 3;
  sync::TryLock<World> lock;

  void thread(int index) {
    if (index == 0) {
      this->give(0);
      this->give(2);
      return;
    }
    const auto self = static_cast<uint32_t>(index);
    if (!lock.try_lock(self)) return;
    this->collect(1);
    lock.unlock(self);
  }
  void finish() {
    this->give(1);
    ReturnedSpans<World>::finish();
  }
};

// A memory thread sleeps until there is memory to give back, while another holder of the lock
// collects what a third thread returns. The memory is found, by the one or by the other.
template <class World, bool kUnderLock>
struct ReturnedToSleeper : ReturnedSpans<World> {
  static constexpr int kThreads = 3;
  sync::TryLock<World> lock;
  sync::Parker<World> parker;
  typename World::template Atomic<uint32_t> free_memory;

  void thread(int index) {
    switch (index) {
      case 0:
        this->give(0);
        parker.wake_if_parked();
        return;
      case 1:
        if (!lock.try_lock(2)) return;
        collect_all();
        lock.unlock(2);
        return;
      default:
        return sleep_until_found(3);
    }
  }
  void collect_all() {
    this->collect(this->kSpans);
    if (this->taken[0] != 0) free_memory.store(1, sync::kRelaxed);
  }
  bool sees_any() { return this->returned.any() || free_memory.load(sync::kRelaxed) != 0; }
  void sleep_until_found(uint32_t self) {
    for (;;) {
      World::require(lock.lock(self), "nobody else is called so");
      collect_all();
      lock.unlock(self);
      if (free_memory.load(sync::kRelaxed) != 0) return;
      parker.begin_park();
      if constexpr (kUnderLock) World::require(lock.lock(self), "nobody else is called so");
      const bool waiting = sees_any();
      if constexpr (kUnderLock) lock.unlock(self);
      waiting ? parker.cancel_park() : parker.commit_park();
    }
  }
  void finish() { World::require(this->taken[0] == 1, "it comes out once"); }
};

// A thread is stopped on its way, as by a fork: blocks that others return are found all the same.
template <class World>
struct ReturnedInChild : ReturnedSpans<World> {
  static constexpr int kThreads = 2;
  static constexpr bool kForks = true;

  void thread(int index) {
    if (index == 0) return this->give(0);
    World::become_child();
    this->give(1);
    while (!this->collect(this->kSpans)) {
    }
    World::require(this->taken[1] == 1, "a block that is returned in the child is found");
  }
  void finish() {}
};

}  // namespace mmt::model
