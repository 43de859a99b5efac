// What a copy has, and what it leaves out.
#include "harden/heap_copy.h"

#include <cstring>

#include <gtest/gtest.h>

#include <mmt/sys/guard_pages.h>
#include <mmt/sys/pages.h>

namespace mmt::harden {
namespace {

constexpr size_t kPage = sys::kPageSize;
constexpr size_t kPages = 4;

class HeapCopyTest : public ::testing::Test {
 protected:
  HeapCopyTest() {
    for (size_t i = 0; i < kPages * kPage; ++i) at[i] = static_cast<char>(i % 251);
  }
  ~HeapCopyTest() override { budget.unmap(at, kPages * kPage); }

  bool is_copy(const char* seen, const char* from, size_t bytes) {
    return seen != nullptr && memcmp(seen, from, bytes) == 0;
  }

  store::Budget budget;
  char* const at = static_cast<char*>(budget.map_anywhere(kPages * kPage));
  HeapCopy copy{budget};
};

TEST_F(HeapCopyTest, CopiesWhatIsWantedNextWithIt) {
  EXPECT_TRUE(is_copy(copy.of(at, 100, at + 2 * kPage), at, 100));
  EXPECT_EQ(copy.copied(), 2 * kPage);
  EXPECT_TRUE(is_copy(copy.of(at + kPage, kPage, at + 2 * kPage), at + kPage, kPage));
  EXPECT_EQ(copy.copied(), 2 * kPage);
  EXPECT_TRUE(
      is_copy(copy.of(at + 2 * kPage - 50, 100, at + kPages * kPage), at + 2 * kPage - 50, 100));
  EXPECT_GT(copy.copied(), 2 * kPage);
}

TEST_F(HeapCopyTest, CopiesAnewWhatIsToBeFresh) {
  copy.of(at, 8, at + kPage);
  at[3] = 'x';
  EXPECT_NE(copy.of(at, 8, at + kPage)[3], 'x');
  EXPECT_EQ(copy.fresh(at, 8)[3], 'x');
}

TEST_F(HeapCopyTest, LeavesOutWhatIsGuarded) {
  ASSERT_TRUE(sys::install_guard(at + 2 * kPage, kPage));
  EXPECT_TRUE(is_copy(copy.of(at, kPage, at + kPages * kPage), at, kPage));
  EXPECT_EQ(copy.of(at + 2 * kPage, 8, at + kPages * kPage), nullptr);
  EXPECT_EQ(copy.of(at + kPage, 2 * kPage, at), nullptr);
  EXPECT_TRUE(is_copy(copy.fresh(at + 3 * kPage, 8), at + 3 * kPage, 8));
  sys::remove_guard(at + 2 * kPage, kPage);
}

TEST_F(HeapCopyTest, EndsBeforeWhatIsAskedFor) {
  EXPECT_TRUE(is_copy(copy.of(at + kPage, 10, at), at + kPage, 10));
  EXPECT_EQ(copy.copied(), 10U);
}

}  // namespace
}  // namespace mmt::harden
