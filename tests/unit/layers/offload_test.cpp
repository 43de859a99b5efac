// OffloadHeap gives blocks that are whole, distinct and aligned, whichever thread takes and frees
// them. The memory thread comes and goes. The end of the heap returns all memory to where it came
// from.
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/layers/general/kingsley_heap.h>
#include <mmt/layers/source/malloc_heap.h>
#include <mmt/layers/source/mmap_heap.h>
#include <mmt/layers/thread/offload/offload_heap.h>

namespace {

using namespace mmt::layers;
using mmt::layers::Offload;

struct Held {
  unsigned char* data;
  size_t size;
};

// What all threads of a test share: blocks that one took and another frees.
struct Exchange {
  std::mutex mutex;
  std::vector<Held> blocks;
};

bool is_whole(const Held& held) {
  for (size_t i = 0; i < held.size; ++i) {
    if (held.data[i] != static_cast<unsigned char>(held.size)) return false;
  }
  return true;
}

template <class Heap>
class Worker {
 public:
  Worker(Heap& heap, Exchange& exchange, unsigned seed)
      : heap_(heap), exchange_(exchange), random_(seed) {}

  void run(int steps) {
    for (int i = 0; i < steps; ++i) (next(2) == 0 && mine_.size() < 3000) ? take() : give();
    for (const Held& held : mine_) heap_.free(held.data);
  }

 private:
  unsigned next(unsigned below) {
    random_ = random_ * 1664525 + 1013904223;
    return (random_ >> 8) % below;
  }
  void take() {
    const size_t size = next(next(50) == 0 ? 60000 : 700);
    auto* data = static_cast<unsigned char*>(heap_.malloc(size));
    ASSERT_NE(data, nullptr);
    ASSERT_EQ(reinterpret_cast<uintptr_t>(data) % kBlockAlignment, 0u);
    ASSERT_GE(heap_.get_size(data), size);
    std::memset(data, static_cast<int>(size), size);
    mine_.push_back({data, size});
  }
  void give() {
    if (mine_.empty()) return;
    std::swap(mine_[next(static_cast<unsigned>(mine_.size()))], mine_.back());
    Held held = mine_.back();
    mine_.pop_back();
    ASSERT_TRUE(is_whole(held));
    if (next(4) == 0) {
      const std::lock_guard guard(exchange_.mutex);
      exchange_.blocks.push_back(held);
      if (exchange_.blocks.size() < 200) return;
      std::swap(exchange_.blocks[next(200)], exchange_.blocks.back());
      held = exchange_.blocks.back();
      exchange_.blocks.pop_back();
    }
    heap_.free(held.data);
  }

  Heap& heap_;
  Exchange& exchange_;
  unsigned random_;
  std::vector<Held> mine_;
};

template <class Heap>
void stress(Heap& heap, int generations) {
  Exchange exchange;
  for (int g = 0; g < generations; ++g) {
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 4; ++t) {
      threads.emplace_back([&heap, &exchange, t, g] {
        Worker<Heap>(heap, exchange, 7 * t + static_cast<unsigned>(g)).run(15000);
      });
    }
    for (std::thread& one : threads) one.join();
  }
  for (const Held& held : exchange.blocks) {
    EXPECT_TRUE(is_whole(held));
    heap.free(held.data);
  }
}

// Counts what is not given back yet. Any thread.
class CountedMmap : public MmapHeap {
 public:
  static inline std::atomic<int> live{0};
  void* malloc(size_t bytes) {
    void* block = MmapHeap::malloc(bytes);
    if (block != nullptr) ++live;
    return block;
  }
  void free(void* block) {
    --live;
    MmapHeap::free(block);
  }
};

int usable_cpus() {
  cpu_set_t set;
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

TEST(OffloadHeap, ThreadsExchangeBlocksAndAllMemoryReturns) {
  {
    Pipe<CountedMmap, Kingsley, Offload<>> heap;
    stress(heap, 3);
    EXPECT_EQ(heap.is_served(), usable_cpus() > 1);
    EXPECT_GT(CountedMmap::live, 0);
  }
  EXPECT_EQ(CountedMmap::live, 0);
}

TEST(OffloadHeap, StandsOverMalloc) {
  Pipe<MallocHeap, Offload<>> heap;
  stress(heap, 1);
}

struct NoThread : mmt::layers::PthreadServer {
  static bool is_wanted() { return false; }
};

TEST(OffloadHeap, ServesItselfWhereNoThreadIsWanted) {
  {
    Pipe<CountedMmap, Kingsley, Offload<NoThread>> heap;
    stress(heap, 2);
    EXPECT_FALSE(heap.is_served());
  }
  EXPECT_EQ(CountedMmap::live, 0);
}

TEST(OffloadHeap, HandsOutEachBlockOnce) {
  Pipe<CountedMmap, Kingsley, Offload<>> heap;
  std::set<void*> live;
  for (int i = 0; i < 100000; ++i) {
    void* block = heap.malloc(100);
    ASSERT_TRUE(live.insert(block).second);
    if (i % 3 == 0) {
      heap.free(*live.begin());
      live.erase(live.begin());
    }
  }
  for (void* block : live) heap.free(block);
}

TEST(OffloadHeap, AlignsAndKnowsItsBlocks) {
  Pipe<CountedMmap, Kingsley, Offload<>> heap;
  for (size_t alignment = 1; alignment <= size_t{1} << 20; alignment *= 2) {
    const Block block = heap.allocate(100, alignment);
    ASSERT_NE(block.data, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block.data) % alignment, 0u);
    EXPECT_GE(block.size, 100u);
    EXPECT_TRUE(heap.owns(block.data));
    heap.free(block.data);
  }
  int on_stack = 0;
  EXPECT_FALSE(heap.owns(&on_stack));
  EXPECT_EQ(heap.malloc(SIZE_MAX), nullptr);
  EXPECT_EQ(heap.malloc(PTRDIFF_MAX), nullptr);
}

// A source that can be made to refuse.
class Refusing : public MmapHeap {
 public:
  static inline std::atomic<bool> refuses{false};
  void* malloc(size_t bytes) { return refuses ? nullptr : MmapHeap::malloc(bytes); }
};

TEST(OffloadHeap, PassesNullOn) {
  Pipe<Refusing, Kingsley, Offload<NoThread>> heap;
  void* block = heap.malloc(100);
  ASSERT_NE(block, nullptr);
  Refusing::refuses = true;
  EXPECT_EQ(heap.malloc(100000), nullptr);
  size_t count = 0;
  while (heap.malloc(2000) != nullptr) ++count;
  EXPECT_LT(count, 1000u);
  Refusing::refuses = false;
  EXPECT_NE(heap.malloc(100000), nullptr);
  heap.free(block);
}

TEST(OffloadHeap, AForksChildGoesOn) {
  Pipe<CountedMmap, Kingsley, Offload<>> heap;
  Exchange exchange;
  stress(heap, 1);
  heap.prepare_fork();
  const pid_t child = fork();
  if (child == 0) {
    heap.after_fork_in_child();
    Worker<decltype(heap)>(heap, exchange, 3).run(20000);
    _exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  heap.after_fork_in_parent();
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  stress(heap, 1);
}

}  // namespace
