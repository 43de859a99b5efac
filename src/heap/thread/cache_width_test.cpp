// When a cache is widened and when it is narrowed again, and what wide caches may hold.
#include "heap/thread/cache_width.h"

#include <gtest/gtest.h>

#include "heap/object/fast_path.h"
#include "heap/thread/holders.h"
#include "heap/thread/refill.h"
#include "heap/thread/surplus.h"
#include "support/fresh_heap.h"

namespace mmt::heap {
namespace {

constexpr SizeClass kPageSized = store::class_of_size(4096);
constexpr size_t kFloorBytes = size_t{4} << 20;

class CacheWidthTest : public ::testing::Test {
 protected:
  static void put(Client& client, SizeClass c, void* block) {
    if (push_exclusive(client, c, block)) return;
    flush(client, c);
    ASSERT_TRUE(push_exclusive(client, c, block));
  }
  void put_all(SizeClass c, std::vector<void*>* blocks) {
    for (void* block : *blocks) put(client, c, block);
    blocks->clear();
  }
  std::vector<void*> take(SizeClass c, size_t count) {
    std::vector<void*> blocks;
    while (blocks.size() < count) {
      void* block = pop_exclusive(client, c);
      blocks.push_back(block != nullptr ? block : refill(client, c));
    }
    return blocks;
  }
  // Blocks beyond the first caches' size.
  size_t bytes_beyond() const {
    size_t bytes = 0;
    for (SizeClass c = 1; c < kClassCount; ++c)
      bytes += (client.cache_limit(c) - kClasses[c].cache_limit) * kClasses[c].size;
    return bytes;
  }

  test::FreshHeap heap;
  Client& client = heap.add_client();
};

TEST_F(CacheWidthTest, WhatComesAndGoesWidensItsCacheUntilItFits) {
  for (int swing = 0; swing < 20; ++swing) {
    auto blocks = take(kPageSized, 40);
    put_all(kPageSized, &blocks);
  }
  EXPECT_GE(client.cache_limit(kPageSized), 40u);
  const uint64_t flushes = client.counters.flushes.get();
  const uint64_t refills = client.counters.refills.get();
  auto blocks = take(kPageSized, 40);
  put_all(kPageSized, &blocks);
  EXPECT_EQ(client.counters.flushes.get(), flushes) << "the depot is left alone";
  EXPECT_EQ(client.counters.refills.get(), refills);
}

TEST_F(CacheWidthTest, TeardownNarrowsIt) {
  for (int swing = 0; swing < 20; ++swing) {
    auto blocks = take(kPageSized, 40);
    put_all(kPageSized, &blocks);
  }
  auto blocks = take(kPageSized, 500);
  put_all(kPageSized, &blocks);
  EXPECT_EQ(client.cache_limit(kPageSized), kClasses[kPageSized].cache_limit);
  EXPECT_LE(client.cached(kPageSized), kClasses[kPageSized].cache_limit);
}

TEST_F(CacheWidthTest, TeardownAloneWidensNothing) {
  auto blocks = take(kPageSized, 500);
  client.sources[kPageSized].widenings_left = 0;
  put_all(kPageSized, &blocks);
  EXPECT_EQ(client.cache_limit(kPageSized), kClasses[kPageSized].cache_limit);
}

TEST_F(CacheWidthTest, NoneIsWiderThanItsPlace) {
  for (SizeClass c = 1; c < kClassCount; ++c) {
    while (widen(client, c)) {
    }
    EXPECT_LE(client.cache_limit(c), kClasses[c].widest_cache);
    client.drop(c);
    EXPECT_EQ(client.cache_limit(c), kClasses[c].cache_limit);
  }
}

TEST_F(CacheWidthTest, AllTogetherAreBounded) {
  for (SizeClass c = 1; c < kClassCount; ++c) {
    while (widen(client, c)) {
    }
  }
  EXPECT_LE(bytes_beyond(), kFloorBytes) << "nothing is in use";
  EXPECT_GT(bytes_beyond(), kFloorBytes / 2);
}

TEST_F(CacheWidthTest, ThreadsShareTheBound) {
  count_holder(client);
  count_holder(heap.add_client());
  for (SizeClass c = 1; c < kClassCount; ++c) {
    while (widen(client, c)) {
    }
  }
  EXPECT_LE(bytes_beyond(), kFloorBytes / 2);
}

}  // namespace
}  // namespace mmt::heap
