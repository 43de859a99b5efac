// Every block is the client's alone while it has it, large enough, and the library's again in the
// end. Each protocol's client and the memory thread's part of it run on two threads.
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "interprocess/protocol_options.h"
#include "protocols/main_alloc.h"
#include "protocols/preallocate.h"
#include "protocols/sync.h"
#include "support/checked_library.h"

namespace mmt::protocols {

using backend::Buckets;
using backend::library;
using backend::Model;
using backend::Options;
using backend::options;
using backend::Refill;
using test::CheckedLibrary;

namespace {

template <class Protocol>
class Protocols : public testing::Test {
 protected:
  using Client = typename Protocol::Client;

  void SetUp() override {
    CheckedLibrary::install();
    options = Options{};
    options.base = 20;
    options.slope = 0;
    options.queue = 16;
  }
  void TearDown() override {
    options = Options{};
    Wake::now = Wake::if_parked = [] {};
  }

  Client& client() { return *client_; }
  // As engine.h calls them.
  void* allocate(size_t bytes) {
    void* block = client_->take(bytes);
    return block != nullptr ? block : client_->allocate(bytes);
  }
  void free(void* block) {
    if (!client_->give(block)) client_->free(block);
  }

  // The memory thread sleeps but for the wake-ups, which come when there is something to be found.
  void run_by_wake_ups(uint32_t steps) {
    waiting_ = client_.get();
    Wake::now = Wake::if_parked = [] { waiting_->serve(); };
    work(steps);
    client_->clear();
    EXPECT_EQ(CheckedLibrary::live_blocks(), 0U);
  }
  void run(uint32_t steps) {
    std::atomic<bool> is_over{false};
    std::thread server([&] {
      while (!is_over.load(std::memory_order_acquire)) {
        if (!client_->serve()) std::this_thread::yield();
      }
    });
    work(steps);
    is_over.store(true, std::memory_order_release);
    server.join();
    client_->clear();
    EXPECT_EQ(CheckedLibrary::live_blocks(), 0U);
  }

  // The memory thread is away for longer than the client has patience, again and again.
  void run_late(uint32_t steps) {
    std::atomic<bool> is_over{false};
    std::thread server([&] {
      while (!is_over.load(std::memory_order_acquire)) {
        client_->serve();
        std::this_thread::sleep_for(std::chrono::milliseconds(options.patience * 3));
      }
    });
    work(steps);
    is_over.store(true, std::memory_order_release);
    server.join();
    client_->clear();
    EXPECT_EQ(CheckedLibrary::live_blocks(), 0U);
  }

 private:
  struct Block {
    unsigned char* at;
    size_t bytes;
    unsigned char fill;
  };

  void work(uint32_t steps) {
    std::mt19937 random(7);
    std::vector<Block> blocks;
    for (uint32_t step = 0; step < steps; ++step) {
      if (blocks.size() < 40 && random() % 5 < 3) {
        const size_t bytes = random() % 10 == 0 ? random() % 3000 : random() % 120;
        auto* at = static_cast<unsigned char*>(allocate(bytes));
        ASSERT_NE(at, nullptr);
        ASSERT_GE(library.usable_size(at), bytes);
        blocks.push_back({at, bytes, static_cast<unsigned char>(step)});
        std::memset(at, blocks.back().fill, bytes);
      } else if (!blocks.empty()) {
        std::swap(blocks[random() % blocks.size()], blocks.back());
        release(blocks.back());
        blocks.pop_back();
      }
    }
    for (const Block& block : blocks) release(block);
  }
  void release(const Block& block) {
    const bool is_intact = std::all_of(block.at, block.at + block.bytes,
                                       [&](unsigned char byte) { return byte == block.fill; });
    EXPECT_TRUE(is_intact);
    free(block.at);
  }

  std::unique_ptr<Client> client_ = std::make_unique<Client>();
  static inline Client* waiting_ = nullptr;
};

using All =
    testing::Types<Sync<MinimalPrimitives>, Sync<PthreadPrimitives>, AsyncFree<MinimalPrimitives>,
                   MainAlloc<MinimalPrimitives>, MainAlloc<PthreadPrimitives>,
                   MainAllocBulk<MinimalPrimitives>, Preallocate<KeptApart>,
                   Preallocate<SharedRecycling>, Preallocate<SizedRecycling>>;
TYPED_TEST_SUITE(Protocols, All);

TYPED_TEST(Protocols, BlocksAreTheClientsAlone) { this->run(4000); }

TYPED_TEST(Protocols, WhoWaitsHasWokenTheMemoryThread) { this->run_by_wake_ups(2000); }

TYPED_TEST(Protocols, WithQueuesOfOne) {
  options.queue = 1;
  options.base = 1;
  this->run(1500);
}

TYPED_TEST(Protocols, ALookForWorkKeepsErrno) {
  errno = 0;
  this->client().serve();
  EXPECT_EQ(errno, 0);
}

template <class Protocol>
class Asking : public Protocols<Protocol> {};
using Syncs = testing::Types<Sync<MinimalPrimitives>, Sync<PthreadPrimitives>>;
TYPED_TEST_SUITE(Asking, Syncs);

TYPED_TEST(Asking, AsForkAndJoin) {
  options.model = Model::kForkJoin;
  this->run(1500);
}

// The memory thread does not answer: it may be in the library, which waits for the client.
template <class Protocol>
class Impatient : public Protocols<Protocol> {};
using Waiting = testing::Types<Sync<MinimalPrimitives>, Sync<PthreadPrimitives>,
                               AsyncFree<MinimalPrimitives>, Preallocate<KeptApart>,
                               Preallocate<SharedRecycling>, Preallocate<SizedRecycling>>;
TYPED_TEST_SUITE(Impatient, Waiting);

TYPED_TEST(Impatient, WhoIsNotAnsweredHelpsItself) {
  options.patience = 1;
  options.queue = 4;
  std::vector<void*> blocks;
  for (size_t i = 0; i < 100; ++i) blocks.push_back(this->allocate(16 + i % 8 * 80));
  EXPECT_EQ(CheckedLibrary::live_blocks(), 100U);
  for (void* block : blocks) this->free(block);
  // What the memory thread does at last is no harm, and nothing is lost by it.
  this->client().serve();
  this->client().clear();
  EXPECT_EQ(CheckedLibrary::live_blocks(), 0U);
}

TYPED_TEST(Impatient, AnswersThatComeLateAreGivenBack) {
  options.patience = 1;
  this->run_late(300);
}

TYPED_TEST(Impatient, AlsoWithNoPatienceAtAll) {
  options.patience = 0;
  this->run(2000);
}

template <class Protocol>
class Preparing : public Protocols<Protocol> {};
using Preallocates = testing::Types<Preallocate<KeptApart>, Preallocate<SharedRecycling>,
                                    Preallocate<SizedRecycling>>;
TYPED_TEST_SUITE(Preparing, Preallocates);

TYPED_TEST(Preparing, WithBucketsOfChunksRefilledAtHalf) {
  options.buckets = Buckets::kChunk;
  options.refill = Refill::kAtHalf;
  this->run(4000);
}

TYPED_TEST(Preparing, AfterLearning) {
  options.learn = 5;
  this->run(1500);
}

TEST(Preallocating, LearnsAlsoWhereItRefillsAtHalf) {
  CheckedLibrary::install();
  options = Options{};
  options.refill = Refill::kAtHalf;
  options.learn = 5;
  static auto client = std::make_unique<Preallocate<KeptApart>::Client>();
  Wake::now = [] { client->serve(); };
  library.free(client->allocate(40));
  client->serve();
  EXPECT_EQ(CheckedLibrary::live_blocks(), 0U) << "one request is no reason to prepare others";
  client->clear();
  Wake::now = [] {};
  options = Options{};
}

}  // namespace
}  // namespace mmt::protocols
