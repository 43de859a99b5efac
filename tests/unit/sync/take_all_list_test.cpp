// TakeAllList: what is pushed comes out once, newest first, from racing threads too.
#include <thread>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/sync/take_all_list.h>

namespace mmt::sync {
namespace {

static_assert(std::is_standard_layout_v<TakeAllList<>>);
static_assert(sizeof(TakeAllList<>) == 4);

TEST(TakeAllList, NewestFirst) {
  TakeAllList<> list;
  uint32_t links[3] = {};
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.take_all(), 0U);
  for (uint32_t i = 0; i < 3; ++i) list.add(i + 1, [&](uint32_t link) { links[i] = link; });
  EXPECT_FALSE(list.empty());
  std::vector<uint32_t> seen;
  for (uint32_t link = list.take_all(); link != 0; link = links[link - 1]) seen.push_back(link - 1);
  EXPECT_EQ(seen, (std::vector<uint32_t>{2, 1, 0}));
  EXPECT_TRUE(list.empty());
}

TEST(TakeAllList, NoneIsLostBetweenThreads) {
  constexpr uint32_t kThreads = 3;
  constexpr uint32_t kEach = 20000;
  TakeAllList<> list;
  std::vector<uint32_t> links(kThreads * kEach);
  std::vector<uint32_t> times(kThreads * kEach);
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (uint32_t i = t * kEach; i < (t + 1) * kEach; ++i)
        list.add(i + 1, [&](uint32_t link) { links[i] = link; });
    });
  }
  for (uint32_t left = kThreads * kEach; left != 0;) {
    for (uint32_t link = list.take_all(); link != 0; link = links[link - 1], --left)
      ++times[link - 1];
  }
  for (std::thread& thread : threads) thread.join();
  for (const uint32_t n : times) ASSERT_EQ(n, 1U);
}

}  // namespace
}  // namespace mmt::sync
