// Several threads in one heap: each takes blocks of many sizes and frees what any thread took;
// contents are checked when they end. ThreadSanitizer finds races besides.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <mmt/layers/thread/thread_index.h>

#include "unit/layers/random_mix.h"

namespace mmt::layers {

// In a thread to which another of that many heaps belongs than to this one; until it is over.
template <size_t kHeaps, class Action>
void in_another_heap(Action&& action) {
  const size_t mine = thread_index() % kHeaps;
  bool is_done = false;
  const auto try_once = [&] {
    if (thread_index() % kHeaps == mine) return;
    action();
    is_done = true;
  };
  do {
    std::thread(try_once).join();
  } while (!is_done);
}

template <class H>
class ThreadedMix {
 public:
  explicit ThreadedMix(H& heap, size_t largest = 600) : heap_(heap), largest_(largest) {}

  // Leaves nothing in use.
  void run(size_t threads, int steps) {
    std::vector<std::thread> all;
    for (size_t t = 0; t < threads; ++t) all.emplace_back([this, t, steps] { work(t, steps); });
    for (std::thread& each : all) each.join();
    for (MixedBlock& block : slots_) end(std::exchange(block, {}));
    EXPECT_EQ(lost_.load(), 0u) << "blocks that have lost their contents";
  }

 private:
  void work(uint64_t seed, int steps) {
    Random random(seed);
    for (int i = 0; i < steps; ++i) {
      const size_t size = random.below(random.below(30) == 0 ? 40 * largest_ : largest_);
      auto* const data = static_cast<unsigned char*>(heap_.malloc(size));
      if (data == nullptr) continue;
      const MixedBlock mine{data, size, static_cast<unsigned char>(i)};
      mine.fill();
      end(swap(random.below(slots_.size()), mine));
    }
  }
  MixedBlock swap(size_t slot, const MixedBlock& block) {
    const std::lock_guard lock(mutex_);
    return std::exchange(slots_[slot], block);
  }
  void end(const MixedBlock& block) {
    if (block.data == nullptr) return;
    if (!block.is_intact(block.size)) ++lost_;
    heap_.free(block.data);
  }

  H& heap_;
  size_t largest_;
  std::mutex mutex_;
  std::array<MixedBlock, 64> slots_{};
  std::atomic<size_t> lost_{0};
};

// Forks again and again while another thread is in the heap; each child uses all of it.
template <class H>
void expect_to_survive_fork(H& heap) {
  std::atomic<bool> is_over{false};
  std::thread other([&] {
    while (!is_over) heap.free(heap.malloc(100));
  });
  size_t survivors = 0;
  for (int i = 0; i < 20; ++i) {
    heap.prepare_fork();
    const pid_t child = ::fork();
    if (child == 0) {
      heap.after_fork_in_child();
      void* const block = heap.malloc(100);
      heap.free(block);
      heap.prepare_fork();
      heap.after_fork_in_parent();
      ::_exit(block != nullptr ? 0 : 1);
    }
    heap.after_fork_in_parent();
    int status = -1;
    if (child > 0 && ::waitpid(child, &status, 0) == child && status == 0) ++survivors;
    heap.free(heap.malloc(100));
  }
  is_over = true;
  other.join();
  EXPECT_EQ(survivors, 20u);
}

}  // namespace mmt::layers
