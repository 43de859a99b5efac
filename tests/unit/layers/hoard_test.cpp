// Hoard's superblocks, as one thread sees them, and what several do to each other.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/layers/general/hoard_heap.h>

#include "unit/layers/random_mix.h"

namespace mmt::layers {
namespace {

constexpr size_t kSuper = 65536;
using Heap = HoardHeap<>;
using SmallHeap = Pipe<MmapHeap, Hoard<8192, 2>>;

// As one constructed before main, and too large for some stacks.
template <class H>
struct Held {
  std::unique_ptr<H> heap = std::make_unique<H>();
  H* operator->() const { return heap.get(); }
  H& operator*() const { return *heap; }
};

char* superblock_of(const void* block) {
  const auto address = reinterpret_cast<uintptr_t>(block);
  return reinterpret_cast<char*>(address - address % kSuper);
}

// So that other threads meet other heaps: a thread's number is given at its first request.
template <class Act>
void in_other_thread(Act act) {
  std::thread(act).join();
}

template <class H>
std::vector<void*> take(H& heap, size_t bytes, size_t count) {
  std::vector<void*> blocks(count);
  for (void*& block : blocks) block = heap.malloc(bytes);
  return blocks;
}

TEST(Hoard, CutsUpSuperblocks) {
  Held<Heap> heap;
  char* const first = static_cast<char*>(heap->malloc(100));
  EXPECT_EQ(heap->get_size(first), 112u);
  EXPECT_EQ(heap->malloc(112), first + 112);
  void* const other = heap->malloc(113);
  EXPECT_EQ(heap->get_size(other), 128u);
  EXPECT_NE(superblock_of(other), superblock_of(first));
  heap->free(first);
  EXPECT_EQ(heap->malloc(97), first);
  EXPECT_EQ(heap->find_fault(), nullptr);
}

TEST(Hoard, ServesLargeBlocksAlone) {
  Held<Heap> heap;
  constexpr size_t kLargest = HoardClasses<kSuper>::kLargest;
  EXPECT_EQ(heap->get_size(heap->malloc(kLargest)), kLargest);
  EXPECT_EQ(heap->usage().mapped_blocks, 0u);
  void* const large = heap->malloc(kLargest + 1);
  EXPECT_EQ(heap->get_size(large), kSuper - 64);
  void* const larger = heap->malloc(kSuper);
  EXPECT_EQ(heap->usage().mapped_blocks, 1u) << "one granule is as good as a superblock";
  heap->free(larger);
  heap->free(large);
  EXPECT_EQ(heap->usage().mapped_blocks, 0u);
}

TEST(Hoard, PrefersTheFullest) {
  Held<Heap> heap;
  const size_t capacity = (kSuper - sizeof(Superblock)) / 1024;
  std::vector<void*> blocks = take(*heap, 1024, 3 * capacity);
  char* const fuller = superblock_of(blocks[capacity]);
  ASSERT_NE(fuller, superblock_of(blocks[0]));
  for (size_t i = 0; i < capacity / 2; ++i) heap->free(blocks[i]);
  for (size_t i = 0; i < capacity / 8; ++i) heap->free(blocks[capacity + i]);
  for (size_t i = 0; i < capacity / 8; ++i) {
    EXPECT_EQ(superblock_of(heap->malloc(1024)), fuller);
  }
  EXPECT_EQ(superblock_of(heap->malloc(1024)), superblock_of(blocks[0]));
  EXPECT_EQ(heap->find_fault(), nullptr);
}

TEST(Hoard, EmptySuperblocksServeAnyClass) {
  Held<Heap> heap;
  void* const small = heap->malloc(20);
  heap->free(small);
  void* const other = heap->malloc(3000);
  EXPECT_EQ(superblock_of(other), superblock_of(small));
  EXPECT_EQ(heap->get_size(other), 3072u);
  EXPECT_EQ(heap->find_fault(), nullptr);
}

TEST(Hoard, KeepsFewEmptySuperblocks) {
  Held<Heap> heap;
  const std::vector<void*> blocks = take(*heap, 16384, 300);
  const size_t held = heap->usage().system_bytes;
  for (void* block : blocks) heap->free(block);
  EXPECT_EQ(heap->find_fault(), nullptr);
  // All can be had for a large class of their own.
  take(*heap, 30000, 150);
  EXPECT_EQ(heap->usage().system_bytes, held);
}

TEST(Hoard, AlignsWithinItsBlocks) {
  Held<Heap> heap;
  std::vector<void*> all;
  for (size_t alignment = 1; alignment <= 262144; alignment *= 2) {
    for (const size_t bytes :
         {size_t{0}, size_t{0}, size_t{0}, size_t{1}, size_t{48}, size_t{1000}, alignment + 3}) {
      const Block block = heap->allocate(bytes, alignment);
      ASSERT_NE(block.data, nullptr);
      ASSERT_EQ(reinterpret_cast<uintptr_t>(block.data) % alignment, 0u);
      ASSERT_GE(block.size, bytes);
      ASSERT_EQ(heap->get_size(block.data), block.size);
      std::memset(block.data, 7, block.size);
      all.push_back(block.data);
    }
    // Others of these superblocks are no worse for it.
    void* const plain = heap->malloc(1000 + alignment % 1000);
    ASSERT_EQ(heap->get_size(plain), heap->good_size(1000 + alignment % 1000));
    all.push_back(plain);
  }
  for (void* block : all) heap->free(block);
  EXPECT_EQ(heap->find_fault(), nullptr);
  const Usage usage = heap->usage();
  EXPECT_EQ(usage.mapped_blocks, 0u);
}

TEST(Hoard, OwnsItsBlocksAlone) {
  Held<Heap> heap;
  Held<Heap> other;
  int local;
  for (const size_t bytes : std::initializer_list<size_t>{10, 5000, 500000}) {
    auto* const block = static_cast<char*>(heap->malloc(bytes));
    EXPECT_TRUE(heap->owns(block));
    EXPECT_TRUE(heap->owns(block + bytes - 1));
    EXPECT_FALSE(other->owns(block));
  }
  EXPECT_FALSE(heap->owns(&local));
  EXPECT_FALSE(heap->owns(nullptr));
}

TEST(Hoard, KeepsContents) {
  Held<Heap> heap;
  mix(*heap, 1, 20000, 2000);
  mix(*heap, 2, 3000, 100000);
  EXPECT_EQ(heap->find_fault(), nullptr);
  heap->clear();
  mix(*heap, 3, 2000, 50000);
  heap->trim();
  mix(*heap, 4, 2000, 50000);
  EXPECT_EQ(heap->find_fault(), nullptr);
}

TEST(Hoard, ReturnsBlocksToTheHeapTheyAreOf) {
  Held<Heap> heap;
  const std::vector<void*> mine = take(*heap, 200, 50);
  in_other_thread([&] {
    void* const block = heap->malloc(200);
    EXPECT_NE(superblock_of(block), superblock_of(mine[0])) << "each thread has its own";
    heap->free(mine[20]);
    EXPECT_NE(heap->malloc(200), mine[20]);
    heap->free(block);
  });
  EXPECT_EQ(heap->malloc(200), mine[20]);
  EXPECT_EQ(heap->find_fault(), nullptr);
}

TEST(Hoard, PassesEmptyingSuperblocksToOtherThreads) {
  Held<Heap> heap;
  std::vector<void*> blocks = take(*heap, 1000, 3000);
  const size_t held = heap->usage().system_bytes;
  // Nine of ten go: the global heap gets most superblocks, none of them empty.
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (i % 10 != 0) heap->free(blocks[i]);
  }
  EXPECT_EQ(heap->find_fault(), nullptr);
  in_other_thread([&] { take(*heap, 1000, 2400); });
  EXPECT_EQ(heap->usage().system_bytes, held);
  EXPECT_EQ(heap->find_fault(), nullptr);
  // The rest goes to whoever owns the superblocks by now.
  for (size_t i = 0; i < blocks.size(); i += 10) heap->free(blocks[i]);
  EXPECT_EQ(heap->find_fault(), nullptr);
}

// One takes, another frees, again and again: without bound where freed memory stayed with whom it
// does not serve.
TEST(Hoard, BoundsBlowup) {
  Held<Heap> heap;
  size_t held = 0;
  for (int round = 0; round < 60; ++round) {
    std::vector<void*> blocks;
    in_other_thread([&] { blocks = take(*heap, 500, 2000); });
    in_other_thread([&] {
      for (void* block : blocks) heap->free(block);
    });
    if (round == 16) held = heap->usage().system_bytes;
  }
  // A thread's heap may keep a superblock or two.
  EXPECT_LE(heap->usage().system_bytes, held + 16 * kSuper);
  EXPECT_LE(held, size_t{8} << 20);
  EXPECT_EQ(heap->find_fault(), nullptr);
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
  Held<H> heap;
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

TEST(HoardThreads, TradeBlocks) { trade_in_threads<Heap>(4, 8000); }
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
  Held<SpinHeap> heap;
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
  Held<Heap> heap;
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
  Held<H> heap;
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

TEST(HoardFork, LocksLastThrough) { fork_among_threads<Heap>(); }
TEST(HoardFork, LocksThatKnowNothingOfIt) {
  fork_among_threads<SpinHeap>();
  EXPECT_EQ(SpinLock::unbalanced, 0u);
}

// A heap that is there before the program's constructors run.
union Storage {
  constexpr Storage() : heap() {}
  ~Storage() {}
  HoardHeap<> heap;
};
constinit Storage early;

TEST(Hoard, NeedsNoConstructor) {
  void* const block = early.heap.malloc(10);
  EXPECT_TRUE(early.heap.owns(block));
  early.heap.free(block);
}

}  // namespace
}  // namespace mmt::layers
