// Every surplus block that is given back comes to its own span, once, whichever way it went. It
// goes over the channel, is put back by the client itself, or goes through the returned bitmaps.
#include "heap/thread/surplus.h"

#include <algorithm>
#include <iterator>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "heap/gates/surplus_reader.h"
#include "heap/thread/hand_over.h"
#include "heap/thread/reclaim.h"
#include "support/fresh_heap.h"
#include "support/held_lock.h"

namespace mmt::heap {
namespace {

using test::lock;

constexpr SizeClass kFreed = store::class_of_size(64);
constexpr SizeClass kSmallest = 1;
constexpr size_t kShort = 20;  // such batches are handed over at once
constexpr size_t kLong = 100;  // such are held until the next
constexpr uint32_t kStranger = 1;
constexpr uint32_t kReader = 2;

class SurplusTest : public ::testing::Test {
 protected:
  void give(SizeClass c, const std::vector<char*>& blocks, size_t from, size_t count) {
    std::vector<void*> batch(blocks.begin() + static_cast<ptrdiff_t>(from),
                             blocks.begin() + static_cast<ptrdiff_t>(from + count));
    give_back(client, c, batch.data(), batch.size());
  }

  // In batches of `most` blocks.
  void give_all(SizeClass c, const std::vector<char*>& blocks, size_t most) {
    for (size_t i = 0; i < blocks.size(); i += most)
      give(c, blocks, i, std::min(most, blocks.size() - i));
  }

  // As the memory thread does.
  bool read(size_t most) { return SurplusReader(heap, client, kReader).put(lock, most); }

  // What the memory thread does, and the client at its end.
  void take_back_all() {
    hand_over_held(client);
    EXPECT_TRUE(read(~size_t{0}));
    while (!heap.depot.returned().collect(lock, ~size_t{0})) {
    }
  }

  std::vector<char*> take_spans(SizeClass c, size_t spans) {
    std::vector<char*> blocks;
    for (size_t i = 0; i < spans; ++i) {
      const std::vector<char*> more = heap.take_span(c);
      blocks.insert(blocks.end(), more.begin(), more.end());
    }
    return blocks;
  }

  size_t in_depot(SizeClass c) { return heap.depot.free_blocks(lock, c); }

  std::mt19937 random{11};
  test::FreshHeap heap;
  Client& client = heap.add_client();
};

TEST_F(SurplusTest, WithoutAMemoryThreadBlocksAreBackAtOnce) {
  const std::vector<char*> blocks = take_spans(kFreed, 1);
  give(kFreed, blocks, 0, kLong);
  EXPECT_EQ(in_depot(kFreed), kLong);
  EXPECT_EQ(client.surplus.size_hint(), 0u);
}

TEST_F(SurplusTest, ShortBatchIsHandedOverAtOnce) {
  const std::vector<char*> blocks = take_spans(kFreed, 1);
  heap.serve();
  give(kFreed, blocks, 0, kShort);
  EXPECT_EQ(in_depot(kFreed), 0u) << "it is the memory thread's task";
  EXPECT_NE(client.surplus.size_hint(), 0u);
  EXPECT_TRUE(read(1));
  EXPECT_EQ(in_depot(kFreed), kShort);
  EXPECT_EQ(client.surplus.size_hint(), 0u);
  EXPECT_EQ(client.sent_bytes, client.drained_bytes.get());
}

TEST_F(SurplusTest, LongBatchIsHandedOverByTheNext) {
  const std::vector<char*> blocks = take_spans(kFreed, 1);
  heap.serve();
  give(kFreed, blocks, 0, kLong);
  EXPECT_EQ(client.surplus.size_hint(), 0u);
  EXPECT_EQ(client.held_blocks.load(), kLong);
  EXPECT_EQ(client.held_class.load(), kFreed);
  give(kFreed, blocks, kLong, kShort);
  EXPECT_EQ(client.held_blocks.load(), 0u);
  EXPECT_TRUE(read(2));
  EXPECT_EQ(in_depot(kFreed), kLong + kShort);
}

TEST_F(SurplusTest, HeldBatchIsHandedOverWhenAskedFor) {
  const std::vector<char*> blocks = take_spans(kFreed, 1);
  heap.serve();
  give(kFreed, blocks, 0, kLong);
  hand_over_held(client);
  EXPECT_EQ(client.held_blocks.load(), 0u);
  EXPECT_TRUE(read(1));
  EXPECT_EQ(in_depot(kFreed), kLong);
}

TEST_F(SurplusTest, DrainingTakesNoMoreBatchesThanAsked) {
  const std::vector<char*> blocks = take_spans(kFreed, 1);
  heap.serve();
  for (size_t i = 0; i < 3; ++i) give(kFreed, blocks, i * kShort, kShort);
  EXPECT_FALSE(read(2));
  EXPECT_EQ(in_depot(kFreed), 2 * kShort);
}

TEST_F(SurplusTest, OneReadsAtATime) {
  const std::vector<char*> blocks = take_spans(kFreed, 1);
  heap.serve();
  give(kFreed, blocks, 0, kShort);
  {
    const SurplusReader stranger(heap, client, kStranger);
    ASSERT_TRUE(stranger.held());
    EXPECT_FALSE(SurplusReader(heap, client, kReader).held());
    EXPECT_FALSE(read_surplus(heap, kReader, client));
    EXPECT_FALSE(reclaim_client(heap, kReader, client)) << "some is to be read yet";
    EXPECT_EQ(in_depot(kFreed), 0u);
  }
  EXPECT_TRUE(read_surplus(heap, kReader, client));
  EXPECT_EQ(in_depot(kFreed), kShort);
}

TEST_F(SurplusTest, ReaderThatNeverComesBackIsRecovered) {
  const std::vector<char*> blocks = take_spans(kFreed, 1);
  heap.serve();
  give(kFreed, blocks, 0, kShort);
  ASSERT_TRUE(client.reader.try_lock(kStranger));
  recover_readers(heap, kReader);
  EXPECT_TRUE(client.reader.held_by(kStranger)) << "another's";
  recover_readers(heap, kStranger);
  EXPECT_TRUE(read_surplus(heap, kReader, client));
}

// Each block goes to the span that it came from: the same blocks are free afterwards.
TEST_F(SurplusTest, BlocksFindTheirSpans) {
  const std::vector<char*> blocks = take_spans(kFreed, 4);
  std::vector<char*> given;
  for (size_t i = 0; i < blocks.size(); i += 2) given.push_back(blocks[i]);
  std::vector<char*> shuffled = given;
  std::shuffle(shuffled.begin(), shuffled.end(), random);
  heap.serve();
  give_all(kFreed, shuffled, kLong);
  take_back_all();
  EXPECT_EQ(in_depot(kFreed), given.size());
  EXPECT_EQ(take_spans(kFreed, 4), given);
}

TEST_F(SurplusTest, BlocksOfSeveralWindowsFindTheirSpans) {
  std::vector<char*> blocks = take_spans(kFreed, 1);
  Slot skipped_from;
  size_t skipped;
  // In parts, as a machine with little memory would refuse the whole.
  constexpr int kParts = 256;
  const size_t part = (size_t{1} << (kWindowShift - store::kSlotShift)) / kParts;
  for (int i = 0; i < kParts; ++i)
    ASSERT_NE(heap.depot.region().carve(part, 1, &skipped_from, &skipped), kNoSlot);
  const std::vector<char*> far = take_spans(kFreed, 1);
  ASSERT_GE(far[0], heap.depot.region().base() + (size_t{1} << kWindowShift));
  blocks.insert(blocks.end(), far.begin(), far.end());
  std::shuffle(blocks.begin(), blocks.end(), random);
  heap.serve();
  give_all(kFreed, blocks, kLong);
  take_back_all();
  EXPECT_EQ(heap.depot.spans().class_spans(kFreed), 0u) << "both spans are free as a whole";
}

// The smallest blocks fill the channel before so many bytes are under way that the client takes the
// lock.
TEST_F(SurplusTest, WhatTheChannelDoesNotHoldGoesThroughBitmaps) {
  const std::vector<char*> blocks = take_spans(kSmallest, 20);
  ASSERT_GT(blocks.size(), size_t{kRingCapacity});
  heap.serve();
  give_all(kSmallest, blocks, kShort);
  EXPECT_NE(client.counters.blocks_returned.get(), 0u);
  EXPECT_TRUE(heap.depot.returned().has_any());
  EXPECT_EQ(in_depot(kSmallest), 0u);
  take_back_all();
  EXPECT_EQ(heap.depot.spans().class_spans(kSmallest), 0u);
}

TEST_F(SurplusTest, WhatIsUnderWayIsBounded) {
  const SizeClass c = store::class_of_size(4096);
  const std::vector<char*> blocks = take_spans(c, 128);  // 8 MiB
  const size_t bound = (size_t{2} << 20) + heap.depot.runs().in_use_bytes() / 64;
  heap.serve();
  for (size_t i = 0; i + 8 <= blocks.size(); i += 8) {
    give(c, blocks, i, 8);
    ASSERT_LT(client.sent_bytes - client.drained_bytes.get(), bound + 8 * 4096);
  }
  EXPECT_NE(in_depot(c), 0u) << "the client has put some back itself";
  take_back_all();
  EXPECT_EQ(heap.depot.spans().class_spans(c), 0u);
}

TEST_F(SurplusTest, NobodyWaitsForTheLock) {
  const SizeClass c = store::class_of_size(4096);
  const std::vector<char*> blocks = take_spans(c, 128);
  heap.serve();
  ASSERT_TRUE(heap.depot.lock().lock(kStranger));
  give_all(c, blocks, 8);
  EXPECT_EQ(in_depot(c), 0u);
  heap.depot.lock().unlock(kStranger);
  take_back_all();
  EXPECT_EQ(heap.depot.spans().class_spans(c), 0u);
}

// All ways at once: lengths, classes and the memory thread's looks by chance.
TEST_F(SurplusTest, NothingIsLostOrComesTwiceUnderRandomTraffic) {
  constexpr SizeClass kTried[] = {1, 2, 7, 33, 40};
  std::vector<std::vector<char*>> live(std::size(kTried));
  for (int step = 0; step < 4000; ++step) {
    const size_t which = random() % std::size(kTried);
    std::vector<char*>& mine = live[which];
    const size_t count = 1 + random() % store::kClasses[kTried[which]].cache_limit;
    if (step % 100 == 0) (step / 100) % 3 == 2 ? heap.server.keep_house() : heap.serve();
    if (mine.size() < count) {
      const std::vector<char*> more = heap.take_span(kTried[which]);
      mine.insert(mine.end(), more.begin(), more.end());
      std::shuffle(mine.begin(), mine.end(), random);
      continue;
    }
    give(kTried[which], mine, mine.size() - count, count);
    mine.resize(mine.size() - count);
    if (random() % 64 == 0) read(random() % 8);
    if (random() % 64 == 0) heap.depot.returned().collect(lock, 1 + random() % 8);
  }
  take_back_all();
  for (size_t i = 0; i < live.size(); ++i) {
    const size_t spans = heap.depot.spans().class_spans(kTried[i]);
    EXPECT_EQ(spans * kClasses[kTried[i]].blocks - in_depot(kTried[i]), live[i].size());
    give_all(kTried[i], live[i], kLong);
  }
  take_back_all();
  for (const SizeClass c : kTried) EXPECT_EQ(heap.depot.spans().class_spans(c), 0u);
}

}  // namespace
}  // namespace mmt::heap
