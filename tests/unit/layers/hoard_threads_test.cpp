// Hoard among threads: blocks that pass between them, superblocks that change hands meanwhile, and
// forks.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/layers/general/hoard_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/mmap_heap.h>

#include "unit/layers/random_mix.h"

namespace mmt::layers {
namespace {

using SmallHeap = Pipe<MmapHeap, Hoard<8192, 2>>;

template <class H>
std::vector<void*> take(H& heap, size_t bytes, size_t count) {
  std::vector<void*> blocks(count);
  for (void*& block : blocks) block = heap.malloc(bytes);
  return blocks;
}

struct Passed {
  unsigned char* data = nullptr;
  size_t size = 0;
  unsigned char value = 0;
};

// Blocks on their way between threads.
class Exchange {
 public:
  Passed swap(size_t slot, Passed given) {
    const std::lock_guard held(mutex_);
    return std::exchange(slots_[slot % slots_.size()], given);
  }

 private:
  std::mutex mutex_;
  std::array<Passed, 200> slots_;
};

template <class H>
void trade(H& heap, Exchange& exchange, uint64_t seed, int rounds, std::atomic<size_t>& lost) {
  Random random(seed);
  for (int i = 0; i < rounds; ++i) {
    const size_t size = 1 + random.below(random.below(50) == 0 ? 60000 : 300);
    const bool is_aligned = random.below(20) == 0;
    void* const block =
        is_aligned ? heap.allocate(size, size_t{1} << random.below(13)).data : heap.malloc(size);
    const Passed mine = {static_cast<unsigned char*>(block), size, static_cast<unsigned char>(i)};
    std::memset(mine.data, mine.value, size);
    if (heap.get_size(mine.data) < size || !heap.owns(mine.data)) ++lost;
    const Passed other = exchange.swap(random.below(1000), mine);
    if (other.data == nullptr) continue;
    const MixedBlock seen = {other.data, other.size, other.value};
    if (!seen.is_intact(other.size)) ++lost;
    heap.free(other.data);
  }
}

template <class H>
void trade_in_threads(size_t threads, int rounds) {
  const auto heap = std::make_unique<H>();
  Exchange exchange;
  std::atomic<size_t> lost = 0;
  std::vector<std::thread> all;
  for (size_t t = 0; t < threads; ++t) {
    all.emplace_back([&, t] { trade(*heap, exchange, t + 1, rounds, lost); });
  }
  for (int i = 0; i < 20; ++i) EXPECT_EQ(heap->find_fault(), nullptr);
  for (std::thread& each : all) each.join();
  for (size_t slot = 0; slot < 1000; ++slot) {
    if (void* const left = exchange.swap(slot, {}).data) heap->free(left);
  }
  EXPECT_EQ(lost, 0u);
  EXPECT_EQ(heap->find_fault(), nullptr);
}

TEST(HoardThreads, TradeBlocks) { trade_in_threads<HoardHeap<>>(4, 8000); }
TEST(HoardThreads, AreMoreThanHeaps) { trade_in_threads<SmallHeap>(7, 4000); }
TEST(HoardThreads, ShareOneHeap) { trade_in_threads<Pipe<MmapHeap, Hoard<65536, 1>>>(4, 4000); }

// A lock of one's own kind, which knows nothing of fork. It dawdles, so that what others may do
// between a look and a lock, they do.
class SpinLock {
 public:
  static inline std::atomic<size_t> unbalanced = 0;

  void lock() {
    std::this_thread::yield();
    while (word_.exchange(true, std::memory_order_acquire)) std::this_thread::yield();
  }
  void unlock() {
    if (!word_.exchange(false, std::memory_order_release)) ++unbalanced;
  }

 private:
  std::atomic<bool> word_{false};
};
using SpinHeap = Pipe<MmapHeap, Hoard<8192, 4, SpinLock>>;

TEST(HoardThreads, UseAnyLock) {
  trade_in_threads<SpinHeap>(4, 4000);
  EXPECT_EQ(SpinLock::unbalanced, 0u);
}

// Superblocks pass to the global heap, and to other threads, while their blocks are freed.
TEST(HoardThreads, FreeWhileSuperblocksMove) {
  const auto heap = std::make_unique<SpinHeap>();
  for (size_t round = 0; round < 15; ++round) {
    const std::vector<void*> blocks = take(*heap, 100, 8000);
    std::vector<std::thread> all;
    for (size_t t = 0; t < 4; ++t) {
      all.emplace_back([&, t] {
        for (size_t i = t; i < blocks.size(); i += 4) {
          heap->free(blocks[i]);
          if (i % 64 < 4) heap->free(heap->malloc(100));
        }
      });
    }
    for (std::thread& each : all) each.join();
    ASSERT_EQ(heap->find_fault(), nullptr);
  }
  // Nothing was lost: all is free.
  const Usage usage = heap->usage();
  EXPECT_LE(usage.free_bytes, usage.system_bytes);
  heap->trim();
  EXPECT_EQ(heap->usage().free_bytes, heap->usage().system_bytes);
}

TEST(HoardThreads, ProducersAndConsumers) {
  const auto heap = std::make_unique<HoardHeap<>>();
  constexpr size_t kBlocks = 20000;
  struct Channel {
    std::vector<std::atomic<unsigned char*>> slots = std::vector<std::atomic<unsigned char*>>(256);
  };
  std::array<Channel, 2> channels;
  std::atomic<size_t> wrong = 0;
  std::vector<std::thread> all;
  for (Channel& channel : channels) {
    all.emplace_back([&] {
      for (size_t i = 0; i < kBlocks; ++i) {
        const size_t size = 16 + i % 500;
        auto* const block = static_cast<unsigned char*>(heap->malloc(size));
        std::memset(block, static_cast<int>(i % 251), size);
        auto& slot = channel.slots[i % channel.slots.size()];
        while (slot.load(std::memory_order_acquire) != nullptr) std::this_thread::yield();
        slot.store(block, std::memory_order_release);
      }
    });
    all.emplace_back([&] {
      for (size_t i = 0; i < kBlocks; ++i) {
        auto& slot = channel.slots[i % channel.slots.size()];
        unsigned char* block;
        while ((block = slot.load(std::memory_order_acquire)) == nullptr) {
          std::this_thread::yield();
        }
        slot.store(nullptr, std::memory_order_release);
        const MixedBlock seen = {block, 16 + i % 500, static_cast<unsigned char>(i % 251)};
        if (!seen.is_intact(seen.size)) ++wrong;
        heap->free(block);
      }
    });
  }
  for (std::thread& each : all) each.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(heap->find_fault(), nullptr);
  EXPECT_LE(heap->usage().system_bytes, size_t{16} << 20);
}

template <class H>
void fork_among_threads() {
  const auto heap = std::make_unique<H>();
  std::atomic<bool> is_over = false;
  std::vector<std::thread> busy;
  for (size_t t = 0; t < 3; ++t) {
    busy.emplace_back([&, t] {
      while (!is_over) mix(*heap, t + 1, 300, 3000);
    });
  }
  const std::vector<void*> mine = take(*heap, 100, 100);
  for (int i = 0; i < 10; ++i) {
    heap->prepare_fork();
    // As handlers of fork that others have may do.
    heap->free(heap->malloc(100));
    heap->free(heap->malloc(100000));
    const pid_t child = fork();
    if (child == 0) {
      heap->after_fork_in_child();
      bool is_well = heap->find_fault() == nullptr;
      for (void* block : mine) heap->free(block);
      for (size_t bytes = 1; bytes < 100000; bytes *= 2) is_well &= heap->malloc(bytes) != nullptr;
      is_well &= heap->find_fault() == nullptr;
      heap->prepare_fork();
      heap->after_fork_in_parent();
      _exit(is_well ? 0 : 1);
    }
    heap->after_fork_in_parent();
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  is_over = true;
  for (std::thread& each : busy) each.join();
  EXPECT_EQ(heap->find_fault(), nullptr);
}

TEST(HoardFork, LocksLastThrough) { fork_among_threads<HoardHeap<>>(); }
TEST(HoardFork, LocksThatKnowNothingOfIt) {
  fork_among_threads<SpinHeap>();
  EXPECT_EQ(SpinLock::unbalanced, 0u);
}

}  // namespace
}  // namespace mmt::layers
