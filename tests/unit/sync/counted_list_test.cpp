// CountedList: entries come out singly, newest first, and threads that take and put lose none.
#include <thread>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/sync/counted_list.h>

namespace mmt::sync {
namespace {

static_assert(std::is_standard_layout_v<CountedList<>>);
static_assert(sizeof(CountedList<>) == 8);

constexpr uint32_t kEntries = 4;

struct Entries {
  CountedList<>::Link links[kEntries] = {};
  auto link_of() {
    return [this](uint32_t link) -> auto& { return links[link - 1]; };
  }
};

TEST(CountedList, NewestFirst) {
  CountedList<> list;
  Entries entries;
  EXPECT_EQ(list.take(entries.link_of()), 0U);
  for (uint32_t i = 1; i <= 3; ++i) list.put(i, entries.link_of());
  for (uint32_t i = 3; i >= 1; --i) EXPECT_EQ(list.take(entries.link_of()), i);
  EXPECT_EQ(list.take(entries.link_of()), 0U);
}

TEST(CountedList, NobodyHasAnEntryBesideAnother) {
  CountedList<> list;
  Entries entries;
  std::vector<std::atomic<uint32_t>> owners(kEntries);
  std::atomic<uint32_t> shared{0};
  for (uint32_t i = 1; i <= kEntries; ++i) list.put(i, entries.link_of());
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50000; ++i) {
        const uint32_t entry = list.take(entries.link_of());
        if (entry == 0) continue;
        if (owners[entry - 1].fetch_add(1) != 0) ++shared;
        --owners[entry - 1];
        list.put(entry, entries.link_of());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(shared, 0U);
  for (uint32_t i = 0; i < kEntries; ++i) EXPECT_NE(list.take(entries.link_of()), 0U);
  EXPECT_EQ(list.take(entries.link_of()), 0U);
}

}  // namespace
}  // namespace mmt::sync
