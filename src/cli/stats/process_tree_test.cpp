// Sums over processes that fork, exec and end.
#include "cli/stats/process_tree.h"

#include <gtest/gtest.h>

namespace mmt::cli {
namespace {

using observe::Stat;

struct Page : ProcessPage {
  Page(pid_t id, const char* name, std::uint64_t from, std::uint64_t to) {
    process = id;
    program = name;
    opened_ns = from;
    ended_ns = to;
    has_exited = to != 0;
    values.resize(static_cast<std::size_t>(Stat::kCount));
    inherited.resize(values.size());
  }
  Page& with(Stat stat, std::uint64_t value, std::uint64_t before = 0) {
    values[static_cast<std::size_t>(stat)] = value;
    inherited[static_cast<std::size_t>(stat)] = before;
    is_forked = is_forked || before != 0;
    return *this;
  }
};

TEST(ProcessTree, CountsWhatAForksChildDidItself) {
  ProcessTree tree(false);
  tree.add({Page(1, "sh", 1, 9).with(Stat::kRefills, 10).with(Stat::kInUseBlocks, 50),
            Page(2, "sh", 2, 3).with(Stat::kRefills, 14, 10).with(Stat::kInUseBlocks, 45, 50)});
  EXPECT_EQ(figure(tree.counters(), Stat::kRefills), 14U);
  EXPECT_EQ(tree.taken(), 50U);
  EXPECT_EQ(tree.forks(), 1U);
  EXPECT_EQ(tree.names().at("sh").count, 2U);
}

TEST(ProcessTree, ExecBeginsAnotherImageOfTheProcess) {
  ProcessTree tree(true);
  tree.add({Page(1, "sh", 1, 0).with(Stat::kFlushes, 1)});
  tree.add({Page(1, "sort", 5, 9).with(Stat::kFlushes, 2)});
  EXPECT_EQ(tree.processes(), 1U);
  EXPECT_EQ(tree.images(), 2U);
  EXPECT_EQ(tree.last_of(1)->program, "sort");
  EXPECT_EQ(tree.last_of(2), nullptr);
  EXPECT_EQ(tree.all().size(), 2U);
  EXPECT_EQ(figure(tree.counters(), Stat::kFlushes), 3U);
}

TEST(ProcessTree, PeaksAddUpOnlyWhereTheyCouldMeet) {
  constexpr Stat kPeak = Stat::kMostInUseBytes;
  ProcessTree tree(false);
  tree.add({Page(1, "make", 1, 0).with(kPeak, 10), Page(2, "cc", 2, 4).with(kPeak, 100),
            Page(3, "cc", 4, 6).with(kPeak, 200), Page(4, "cc", 5, 0).with(kPeak, 30)});
  EXPECT_EQ(tree.most_at_a_time(kPeak), 240U);
  // Process 1 becomes another program: its first image is gone then.
  tree.add({Page(1, "ld", 7, 0).with(kPeak, 1000)});
  EXPECT_EQ(tree.most_at_a_time(kPeak), 1030U);
}

TEST(ProcessTree, WhatForksInheritIsToldOfTheLargestSum) {
  constexpr Stat kPeak = Stat::kMostInUseBytes;
  ProcessTree tree(false);
  tree.add({Page(1, "sh", 1, 0).with(kPeak, 40), Page(2, "sh", 2, 5).with(kPeak, 41, 40),
            Page(3, "sh", 3, 4).with(kPeak, 40, 40), Page(4, "sh", 6, 7).with(kPeak, 42, 40)});
  EXPECT_EQ(tree.most_at_a_time(kPeak), 121U);
  EXPECT_EQ(tree.inherited_then(kPeak), 80U);
}

// Each can be so, and there are many.
TEST(ProcessTree, SumsDoNotWrap) {
  ProcessTree tree(false);
  constexpr std::uint64_t kLarge = std::uint64_t{1} << 56;
  constexpr std::uint64_t kOften = std::uint64_t{1} << 60;
  for (pid_t id = 1; id <= 300; ++id) {
    tree.add({Page(id, "sh", 1, 0)
                  .with(Stat::kMostInUseBytes, kLarge)
                  .with(Stat::kBlocksFlushed, kOften)
                  .with(Stat::kRefills, kOften)});
  }
  EXPECT_EQ(tree.given(), UINT64_MAX);
  EXPECT_EQ(tree.taken(), UINT64_MAX);
  EXPECT_EQ(figure(tree.counters(), Stat::kRefills), UINT64_MAX);
  EXPECT_EQ(tree.most_at_a_time(Stat::kMostInUseBytes), UINT64_MAX);
}

}  // namespace
}  // namespace mmt::cli
