// When glibc is told to keep room ahead, and when no more.
#include "beside/room_ahead.h"

#include <malloc.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <thread>

#include <gtest/gtest.h>

#include "backend/library.h"
#include "interprocess/protocol_options.h"

namespace mmt::beside {

using backend::find_library;
using backend::Library;
using backend::library;
using backend::library_is_libc;
using backend::Options;
using backend::options;

namespace {

constexpr int kMiB = 1 << 20;

// What it was told last.
std::map<int, int>& told() {
  static std::map<int, int> parameters;
  return parameters;
}

class RoomAheadTest : public testing::Test {
 protected:
  void SetUp() override {
    find_library();
    ASSERT_TRUE(library_is_libc());
    before_ = library;
    told().clear();
    library.set_parameter = [](int parameter, int value) {
      told()[parameter] = value;
      return 1;
    };
    library.trim = [](size_t) { return 1; };
  }
  void TearDown() override {
    library = before_;
    options = Options{};
  }

  void start(bool may = true) {
    room_.look_around();
    room_.begin();
    room_.allow(may);
    room_.note_thread();
  }
  // As a heap that grows by so much: with its newest block.
  void grow(intptr_t bytes) {
    void* const block = ::sbrk(bytes);
    ASSERT_NE(block, reinterpret_cast<void*>(-1));
    keep_up(static_cast<char*>(block) + bytes - 64);
  }
  void keep_up(const void* block) {
    room_.keep_up(block, [](const void*) {});
  }

  RoomAhead room_;
  Library before_{};
};

TEST_F(RoomAheadTest, OfASmallHeapAllIsAsWithoutUs) {
  start();
  grow(kMiB / 2);
  keep_up(reinterpret_cast<void*>(uintptr_t{0x7f0000000000}));  // one that is mapped
  EXPECT_TRUE(told().empty());
  EXPECT_FALSE(room_.is_glibcs());
}

TEST_F(RoomAheadTest, IsKeptAheadOfAGrowingHeap) {
  start();
  grow(2 * kMiB);
  EXPECT_TRUE(room_.is_glibcs());
  EXPECT_EQ(told()[M_TOP_PAD], 16 * kMiB);
  EXPECT_EQ(told()[M_MMAP_THRESHOLD], 32 * kMiB);
  EXPECT_EQ(told()[M_TRIM_THRESHOLD], 64 * kMiB);
  EXPECT_GT(RoomAhead::most_free(), size_t{64 + 16} * kMiB);
}

TEST_F(RoomAheadTest, NotWithoutTheThreadForWhichItIs) {
  room_.begin();
  room_.allow(true);
  grow(2 * kMiB);
  EXPECT_FALSE(room_.is_glibcs());
}

TEST_F(RoomAheadTest, NotUnderALimit) {
  start(false);
  grow(2 * kMiB);
  EXPECT_FALSE(room_.is_glibcs());
  EXPECT_TRUE(told().empty());
}

TEST_F(RoomAheadTest, NotWhereTheOptionSaysSo) {
  options.pad = 0;
  start();
  grow(2 * kMiB);
  EXPECT_FALSE(room_.is_glibcs());
}

TEST_F(RoomAheadTest, NotWhereTheUserHasSetAParameter) {
  ASSERT_EQ(::setenv("MALLOC_TOP_PAD_", "65536", 1), 0);
  start();
  ASSERT_EQ(::unsetenv("MALLOC_TOP_PAD_"), 0);
  grow(2 * kMiB);
  EXPECT_TRUE(told().empty());
}

TEST_F(RoomAheadTest, EndsWithTheProgramsOwnParameters) {
  start();
  grow(2 * kMiB);
  room_.leave_parameters();
  EXPECT_FALSE(room_.is_glibcs());
  for (const int parameter : {M_TOP_PAD, M_MMAP_THRESHOLD, M_TRIM_THRESHOLD}) {
    EXPECT_EQ(told()[parameter], kMiB / 8) << parameter;
  }
  told().clear();
  start();
  grow(2 * kMiB);
  EXPECT_TRUE(told().empty());
}

TEST_F(RoomAheadTest, EndsWithALimit) {
  start();
  grow(2 * kMiB);
  room_.give_up([](const void*) {});
  EXPECT_FALSE(room_.is_glibcs());
  EXPECT_EQ(told()[M_TOP_PAD], kMiB / 8);
  EXPECT_LE(told()[M_TRIM_THRESHOLD], 4 * kMiB);
}

TEST_F(RoomAheadTest, IsLessForEachOfSeveralThreads) {
  start();
  grow(2 * kMiB);
  std::thread([] {}).join();
  keep_up(&room_);
  EXPECT_EQ(told()[M_TOP_PAD], kMiB);
  EXPECT_TRUE(room_.is_glibcs());
}

}  // namespace
}  // namespace mmt::beside
