// client_lease.h, server_role.h, opening.h, registry.h: small state machines, checked exhaustively
// in tests/model.
#include <atomic>
#include <thread>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/sync/client_lease.h>
#include <mmt/sync/counter.h>
#include <mmt/sync/opening.h>
#include <mmt/sync/registry.h>
#include <mmt/sync/server_role.h>

namespace mmt::sync {
namespace {

static_assert(std::is_standard_layout_v<ClientLease<>>);
static_assert(std::is_standard_layout_v<ServerRole<>>);
static_assert(std::is_standard_layout_v<Counter<>>);
static_assert(std::is_standard_layout_v<Opening<>>);
static_assert(std::is_standard_layout_v<Registry<int, 2>>);

TEST(ClientLease, LivesFromThreadToThread) {
  ClientLease<> lease;
  EXPECT_EQ(lease.state(), lease.kFree);
  EXPECT_FALSE(lease.begin_reclaim());
  ASSERT_TRUE(lease.claim());
  EXPECT_FALSE(lease.claim());
  EXPECT_FALSE(lease.begin_reclaim()) << "its thread lives";
  lease.leave();
  EXPECT_FALSE(lease.claim()) << "it is not empty yet";
  ASSERT_TRUE(lease.begin_reclaim());
  EXPECT_FALSE(lease.begin_reclaim()) << "one is enough";
  lease.put_back();
  ASSERT_TRUE(lease.begin_reclaim());
  EXPECT_FALSE(lease.claim());
  lease.end_reclaim();
  ASSERT_TRUE(lease.claim());
  lease.leave();
  ASSERT_TRUE(lease.adopt()) << "with all that is in it";
  EXPECT_FALSE(lease.adopt());
  EXPECT_FALSE(lease.begin_reclaim()) << "its new thread lives";
  lease.leave_to_self();
  EXPECT_FALSE(lease.adopt());
  EXPECT_FALSE(lease.begin_reclaim());
  lease.end_reclaim();
  EXPECT_EQ(lease.state(), lease.kFree);
}

TEST(ClientLease, NewAndOrphanedOnes) {
  ClientLease<> lease;
  lease.claim_new();
  EXPECT_EQ(lease.state(), lease.kLive);
  lease.orphan_in_child();
  lease.end_reclaim();
  EXPECT_TRUE(lease.claim());
}

// Threads claim, use, leave and reclaim one lease; what it guards is never used by two.
TEST(ClientLease, OneUserAtATime) {
  ClientLease<> lease;
  uint64_t uses = 0;
  std::atomic<uint64_t> claims{};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      for (int round = 0; round < 30000; ++round) {
        if (lease.begin_reclaim()) {
          ++uses;
          lease.end_reclaim();
        }
        if (!lease.claim()) continue;
        claims.fetch_add(2, std::memory_order_relaxed);
        ++uses;
        lease.leave();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (lease.begin_reclaim()) ++uses;
  EXPECT_EQ(uses, claims.load());
  EXPECT_GT(uses, 0U);
}

TEST(ServerRole, StartsOnce) {
  ServerRole<> role;
  EXPECT_FALSE(role.is_running());
  std::atomic<int> winners{};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      if (role.claim_start()) winners.fetch_add(1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(winners.load(), 1);
  EXPECT_EQ(role.state(), role.kStarting);
  role.running();
  EXPECT_TRUE(role.is_running());
  EXPECT_FALSE(role.claim_start());
  role.end();
  EXPECT_TRUE(role.claim_start()) << "the next";
  role.reset_in_child();
  EXPECT_TRUE(role.claim_start());
  role.fail();
  EXPECT_FALSE(role.claim_start());
  EXPECT_FALSE(role.is_running());
}

TEST(ServerRole, ServesUnlessItOnlyKeepsHouse) {
  ServerRole<> role;
  ASSERT_TRUE(role.claim_start());
  EXPECT_FALSE(role.is_running());
  role.keep_house();
  EXPECT_FALSE(role.is_running());
  EXPECT_FALSE(role.claim_start()) << "there is one";
  role.end();
  ASSERT_TRUE(role.claim_start());
  role.running();
  EXPECT_TRUE(role.is_running());
}

TEST(ServerRole, StaysAwayForGood) {
  ServerRole<> role;
  ASSERT_TRUE(role.claim_start());
  role.stay_away();
  EXPECT_FALSE(role.claim_start());
  EXPECT_EQ(role.state(), role.kAway);
}

TEST(Counter, CountsAndIsRead) {
  Counter<> counter;
  counter.add();
  counter.add(9);
  counter.sub(3);
  EXPECT_EQ(counter.get(), 7U);
  counter.set(1);
  std::thread reader([&] {
    uint64_t last = 0;
    while (last < 100001) {
      const uint64_t now = counter.get();
      ASSERT_GE(now, last);
      last = now;
    }
  });
  for (int i = 0; i < 100000; ++i) counter.add();
  reader.join();
}

TEST(Opening, OpensOnceAndMayFail) {
  Opening<> opening;
  EXPECT_EQ(opening.state(), opening.kClosed);
  ASSERT_TRUE(opening.begin());
  EXPECT_FALSE(opening.begin()) << "another is at it";
  EXPECT_EQ(opening.state(), opening.kOpening);
  opening.finish(false);
  EXPECT_EQ(opening.state(), opening.kClosed);
  ASSERT_TRUE(opening.begin());
  opening.finish(true);
  EXPECT_EQ(opening.state(), opening.kOpen);
  EXPECT_FALSE(opening.begin()) << "it is open for good";
}

TEST(Registry, EntriesAreFoundOnceAdded) {
  Registry<int, 2> registry;
  int entries[2] = {};
  uint32_t numbers[3] = {9, 9, 9};
  EXPECT_EQ(registry.count(), 0U);
  ASSERT_TRUE(registry.reserve(&numbers[0]));
  ASSERT_TRUE(registry.reserve(&numbers[1]));
  EXPECT_EQ(registry.count(), 2U);
  EXPECT_EQ(registry.at(numbers[0]), nullptr) << "it is being made";
  registry.add(numbers[1], &entries[1]);
  registry.add(numbers[0], &entries[0]);
  EXPECT_EQ(registry.at(numbers[0]), &entries[0]);
  EXPECT_EQ(registry.at(numbers[1]), &entries[1]);
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(registry.reserve(&numbers[2])) << "it is full";
  EXPECT_EQ(registry.count(), 2U);
}

TEST(Registry, NumbersAreDistinctBetweenThreads) {
  constexpr uint32_t kMost = 100;
  Registry<int, kMost> registry;
  int entry = 0;
  std::atomic<uint32_t> refused{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 30; ++i) {
        uint32_t number = kMost;
        registry.reserve(&number) ? registry.add(number, &entry)
                                  : static_cast<void>(refused.fetch_add(1));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(refused.load(), 20U);
  EXPECT_EQ(registry.count(), kMost);
  for (uint32_t i = 0; i < kMost; ++i) EXPECT_EQ(registry.at(i), &entry);
}

}  // namespace
}  // namespace mmt::sync
