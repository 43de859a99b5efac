// The preallocating protocols keep their order of work and their constants, one step at a time. The
// memory thread's part is called when the test says so, on the one thread there is.
#include "protocols/preallocate.h"

#include <cstdlib>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "interprocess/protocol_options.h"
#include "support/checked_library.h"

namespace mmt::protocols {

using backend::Buckets;
using backend::library;
using backend::Options;
using backend::options;
using backend::Refill;
using test::CheckedLibrary;

namespace {

template <class Protocol>
class Stepwise {
 public:
  using Client = typename Protocol::Client;

  Stepwise() {
    CheckedLibrary::install();
    options = Options{};
    client_ = std::make_unique<Client>();
    current_ = client_.get();
    Wake::now = [] { current_->serve(); };
    Wake::if_parked = [] { ++wakes; };
    wakes = 0;
  }
  ~Stepwise() {
    client_->clear();
    EXPECT_EQ(CheckedLibrary::live_blocks(), 0U);
    Wake::now = Wake::if_parked = [] {};
    options = Options{};
  }
  Stepwise(const Stepwise&) = delete;
  Stepwise& operator=(const Stepwise&) = delete;

  Client* operator->() { return client_.get(); }

  static inline int wakes = 0;

 private:
  std::unique_ptr<Client> client_;
  static inline Client* current_ = nullptr;
};

using Plain = Preallocate<KeptApart>;

TEST(Preallocate, HasThePapersConstants) {
  const Options fresh;
  EXPECT_EQ(fresh.base, 400U);
  EXPECT_EQ(fresh.slope, 4U);
  EXPECT_EQ(fresh.largest, 512U);
  EXPECT_EQ(fresh.queue, 200U);
  EXPECT_EQ(fresh.depth, 3U);
  EXPECT_EQ(fresh.learn, 0U);
  EXPECT_EQ(fresh.refill, Refill::kAtOnce);
  EXPECT_EQ(fresh.buckets, Buckets::kRequest);
}

TEST(Preallocate, ABucketHoldsMoreOfLargerBlocks) {
  const Stepwise<Plain> client;
  uint64_t promised = 0;
  const auto room_for = [&](size_t bytes) { return Plain::room_for(bytes, &promised); };
  EXPECT_EQ(room_for(0), 400U);
  EXPECT_EQ(room_for(100), 800U);
  options.base = 1;
  options.slope = 0;
  EXPECT_EQ(room_for(100), 1U);
}

TEST(Preallocate, BucketsOfManySizesHaveALimit) {
  const Stepwise<Plain> client;
  EXPECT_EQ(options.most, 32U);
  uint64_t promised = 0;
  options.most = 2;
  EXPECT_EQ(Plain::room_for(512, &promised), 2448U);
  EXPECT_EQ(Plain::room_for(512, &promised), 8U);
  EXPECT_EQ(Plain::room_for(32, &promised), 528U) << "for which there is room still";
  EXPECT_EQ(promised, 2448U * 512 + 528 * 32);
  options.most = 0;
  EXPECT_EQ(Plain::room_for(512, &promised), 2448U);
}

TEST(Preallocate, OneRequestHasABucketPrepared) {
  Stepwise<Plain> client;
  std::vector<void*> blocks{client->allocate(40)};
  EXPECT_EQ(CheckedLibrary::live_blocks(), 1U + 400 + 4 * 40);
  blocks.push_back(client->allocate(40));  // hands the bucket over, and prepares the next
  for (int i = 1; i < 400 + 4 * 40; ++i) {
    blocks.push_back(client->take(40));
    ASSERT_NE(blocks.back(), nullptr) << i;
  }
  EXPECT_EQ(client->take(40), nullptr) << "there is none without the memory thread";
  EXPECT_EQ(client->take(41), nullptr) << "another request has a bucket of its own";
  for (void* block : blocks) library.free(block);
}

TEST(Preallocate, LargeRequestsHaveNone) {
  Stepwise<Plain> client;
  library.free(client->allocate(513));
  EXPECT_EQ(CheckedLibrary::live_blocks(), 0U);
  library.free(client->allocate(512));
  EXPECT_GT(CheckedLibrary::live_blocks(), 0U);
}

// What the paper's section III-E calls double queues.
TEST(Preallocate, TwoQueuesOfFreedBlocksTakeTurns) {
  Stepwise<Plain> client;
  options.learn = 1000000;  // nothing is prepared
  std::vector<void*> blocks;
  for (int i = 0; i < 401; ++i) blocks.push_back(client->allocate(40));
  for (int i = 0; i < 400; ++i) ASSERT_TRUE(client->give(blocks[static_cast<size_t>(i)])) << i;
  EXPECT_EQ(client.wakes, 2) << "once for each queue that is full";
  EXPECT_FALSE(client->give(blocks[400])) << "both are the memory thread's";
  EXPECT_EQ(CheckedLibrary::live_blocks(), 401U);
  client->serve();
  EXPECT_EQ(CheckedLibrary::live_blocks(), 1U);
  EXPECT_TRUE(client->give(blocks[400]));
}

bool was_freed_before = false;

TEST(Preallocate, AllocationComesBeforeFrees) {
  Stepwise<Plain> client;
  options.learn = 1000000;
  std::vector<void*> blocks;
  for (int i = 0; i < 200; ++i) blocks.push_back(client->allocate(40));
  for (void* block : blocks) client->give(block);
  static void* (*const real)(size_t) = library.malloc;
  library.malloc = [](size_t bytes) {
    was_freed_before = CheckedLibrary::live_blocks() < 200;
    return real(bytes);
  };
  library.free(client->allocate(40));
  EXPECT_FALSE(was_freed_before);
  EXPECT_EQ(CheckedLibrary::live_blocks(), 0U) << "the queue was full, and is the round's rest";
}

TEST(Preallocate, AtHalfWakesTheMemoryThread) {
  Stepwise<Plain> client;
  options.refill = Refill::kAtHalf;
  options.base = 20;
  options.slope = 0;
  std::vector<void*> blocks{client->allocate(40), client->allocate(40)};
  EXPECT_EQ(client.wakes, 0);
  for (int i = 0; i < 9; ++i) blocks.push_back(client->take(40));
  EXPECT_EQ(client.wakes, 1);
  client->serve();
  EXPECT_EQ(CheckedLibrary::live_blocks(), 1U + 20 + 20);
  for (int i = 0; i < 5; ++i) blocks.push_back(client->take(40));
  EXPECT_EQ(client.wakes, 1) << "it is asked for once";
  for (void* block : blocks) library.free(block);
}

TEST(Preallocate, ABucketOfOneIsRefilledAtHalfToo) {
  Stepwise<Plain> client;
  options.refill = Refill::kAtHalf;
  options.base = 1;
  options.slope = 0;
  std::vector<void*> blocks{client->allocate(40), client->allocate(40)};
  client->serve();
  EXPECT_EQ(CheckedLibrary::live_blocks(), 3U) << "the next one waits";
  for (void* block : blocks) library.free(block);
}

// Over a library that rounds up to powers of two, as PHK does.
void use_powers_of_two() {
  static void* (*const real)(size_t) = library.malloc;
  library.malloc = [](size_t bytes) {
    size_t size = 16;
    while (size < bytes) size *= 2;
    return real(size);
  };
}

template <class Frees>
void expect_recycling(size_t bytes) {
  Stepwise<Preallocate<Frees>> client;
  use_powers_of_two();
  void* const block = client->allocate(bytes);
  ASSERT_TRUE(client->give(block));
  EXPECT_EQ(client->take(bytes), block) << bytes;
  library.free(block);
}

TEST(Recycling, ServesTheFreedBlockAgainWhateverTheLibrarysSizes) {
  for (size_t bytes : {16, 33, 40, 100, 200, 300, 500}) {
    expect_recycling<SharedRecycling>(bytes);
    expect_recycling<SizedRecycling>(bytes);
  }
}

TEST(Recycling, LooksAtTheLastThreeOfTheSharedQueue) {
  Stepwise<Preallocate<SharedRecycling>> client;
  options.learn = 1000000;
  std::vector<void*> blocks;
  for (int i = 0; i < 4; ++i) blocks.push_back(client->allocate(i == 0 ? 40 : 200));
  client->give(blocks[0]);
  client->give(blocks[1]);
  client->give(blocks[2]);
  EXPECT_EQ(client->take(40), blocks[0]) << "the third from the end";
  client->give(blocks[0]);
  client->give(blocks[3]);
  EXPECT_EQ(client->take(200), blocks[3]);
  client->give(blocks[3]);
  void* const others[] = {client->allocate(100), client->allocate(100)};
  for (void* other : others) client->give(other);
  EXPECT_EQ(client->take(40), nullptr) << "it lies deeper";
}

}  // namespace
}  // namespace mmt::protocols
