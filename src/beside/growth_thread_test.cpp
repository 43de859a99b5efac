// The growth thread makes resident what lies ahead of a program that touches more and more of its
// memory. It stays within the library's own memory, and the program does not wait.
#include "beside/growth_thread.h"

#include <sys/mman.h>

#include <atomic>

#include <gtest/gtest.h>

#include <mmt/sys/clock.h>
#include <mmt/sys/cpus.h>
#include <mmt/sys/pages.h>

#include "beside/library_memory.h"
#include "beside/ranges.h"
#include "beside/resident.h"
#include "interprocess/protocol_options.h"

namespace mmt::beside {

using backend::Options;
using backend::options;

// Fake: what the test says is the library's.
static Ranges library_ranges;
uintptr_t end_of_library_memory(uintptr_t address) { return library_ranges.end_of(address); }
uint32_t library_memory_version() { return library_ranges.version(); }

namespace {

constexpr size_t kRoom = size_t{256} << 20;
constexpr size_t kLibrarys = size_t{192} << 20;
constexpr uint64_t kLimitNs = 60'000'000'000;

std::atomic<bool> is_asked{false};

class GrowthOf : public testing::Test {
 protected:
  void SetUp() override {
    if (sys::affinity_cpus() < 2) GTEST_SKIP() << "one CPU";
    void* const room =
        ::mmap(nullptr, kRoom, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(room, MAP_FAILED);
    begin_ = static_cast<char*>(room);
    library_ranges.add(address(0), address(kLibrarys));
    options.huge = 1;  // the thread reads it
    thread_.adopt_process();
    thread_.want([] { is_asked.store(true, std::memory_order_relaxed); });
  }
  void TearDown() override {
    if (begin_ == nullptr) return;
    thread_.stop();
    library_ranges.cut(address(0), address(kRoom));
    ::munmap(begin_, kRoom);
    options = Options{};
  }
  uintptr_t address(size_t offset) const { return reinterpret_cast<uintptr_t>(begin_) + offset; }

  // As a program that uses what it allocates, page by page. Whether some page was there before it
  // was touched.
  bool grow(size_t to) {
    bool was_there = false;
    for (; frontier_ < to; frontier_ += sys::kPageSize) {
      was_there |= is_resident(address(frontier_));
      begin_[frontier_] = 1;
      if (is_asked.exchange(false, std::memory_order_relaxed)) thread_.note(begin_ + frontier_);
    }
    return was_there;
  }

  static inline GrowthThread thread_;
  char* begin_ = nullptr;
  size_t frontier_ = 0;
};

TEST_F(GrowthOf, MakesResidentWhatLiesAheadAndNothingElse) {
  const uint64_t limit = sys::monotonic_ns() + kLimitNs;
  bool was_there = false;
  // Again and again: on a busy machine the thread may come late.
  while (!was_there && sys::monotonic_ns() < limit) {
    ASSERT_EQ(::madvise(begin_, kRoom, MADV_DONTNEED), 0);
    frontier_ = 0;
    was_there = grow(kLibrarys);
  }
  EXPECT_TRUE(was_there);
  sys::sleep_ns(20 * sys::kNanosAMilli);
  for (size_t at = kLibrarys; at < kRoom; at += sys::kPageSize) {
    ASSERT_FALSE(is_resident(address(at))) << at - kLibrarys;
  }
}

TEST_F(GrowthOf, LeavesWhenItIsAskedTo) {
  grow(size_t{8} << 20);
  EXPECT_TRUE(thread_.stop());
  EXPECT_FALSE(thread_.stop()) << "there is none any more";
  thread_.start_if_due();
  grow(size_t{16} << 20);
  EXPECT_TRUE(thread_.stop());
}

}  // namespace
}  // namespace mmt::beside
