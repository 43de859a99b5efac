// The file makes the C++20 memory model a machine. The model is RC11 (C++20 without load-buffering
// cycles), with seq_cst only as fences, as in "A promising semantics" without promises.
//
// A location keeps all its stores in modification order. A load may read any store that its
// thread's view allows. A store may be placed anywhere after what the thread has seen, except
// between a read-modify-write and the store it read. Release and acquire pass views along. A
// seq_cst fence also joins the coherence part of its view with that of the fences before it. Fences
// do not create happens-before among themselves, so that races stay visible.
//
// A store past the caches (x86-64's non-temporal ones) is ordered with its thread's later stores by
// a stream fence alone. No release, fence or read-modify-write stands in for a stream fence, though
// some would on the real machine.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "checker/view.h"

namespace mmt::model {

// Names a store independently of the schedule: thread and its how-manieth store.
using StoreId = uint32_t;

struct StoreEvent {
  uint64_t value = 0;
  Time time = 0;
  StoreId id = 0;
  bool reads_previous = false;  // a read-modify-write: nothing may come between
  View released;                // what an acquiring reader learns
};

class Memory {
 public:
  void reset(int threads);

  int add_location(uint64_t initial);
  int locations() const { return used_; }

  const std::vector<StoreEvent>& history(int location) const { return histories_[location]; }
  const StoreEvent& newest(int location) const { return histories_[location].back(); }
  const StoreEvent& find(int location, StoreId id) const;

  // Which stores `thread` may read; `from` raises the oldest allowed.
  void readable(int thread, int location, Time from, std::vector<StoreId>* out) const;
  // The same for the read of a read-modify-write: no other may have read it already.
  bool can_modify(int location, StoreId id) const;
  // After which stores a store of `thread` may be placed.
  void placeable(int thread, int location, std::vector<StoreId>* out) const;

  uint64_t load(int thread, int location, StoreId from, std::memory_order order);
  void store(int thread, int location, StoreId after, uint64_t value, std::memory_order order);
  void modify(int thread, int location, StoreId from, uint64_t value, std::memory_order order);
  void fence(int thread, std::memory_order order);
  void stream_fence(int thread) { ++threads_[thread].current.streams.at[thread]; }

  // Before the threads start and after they have ended.
  void overwrite(int location, uint64_t value) { histories_[location].back().value = value; }

  // Thread creation, join, and the view of a fork's child: the newest of everything.
  void hand_over(int from, int to);
  void see_everything(int thread);

  // The kernel orders a futex wait after the wakes before it, on that word.
  void futex_woken(int thread, int location);
  Time futex_floor(int location) const { return futex_floor_.at[location]; }

  const View& view(int thread) const { return threads_[thread].current; }
  uint16_t tick(int thread) const { return view(thread).clock.at[thread]; }
  // The stream fence that a store past the caches waits for: the thread's next.
  uint16_t next_stream_fence(int thread) const {
    return static_cast<uint16_t>(view(thread).streams.at[thread] + 1);
  }

 private:
  struct ThreadState {
    View current;
    View acquirable;  // joins `current` at an acquire fence
    View fenced;      // what relaxed stores release: the view at the last release fence
    uint32_t stores = 0;
  };

  size_t index_of(int location, StoreId id) const;
  void insert(int thread, int location, size_t after, uint64_t value, bool modify,
              const View& released);

  std::vector<StoreEvent> histories_[kMaxLocations];
  ThreadState threads_[kMaxThreads];
  Seen fences_;  // seq_cst
  Seen futex_floor_;
  int used_ = 0;
};

}  // namespace mmt::model
