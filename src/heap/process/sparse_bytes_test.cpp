// Pages that hold zeros already are not written.
#include "heap/process/sparse_bytes.h"

#include <sys/mman.h>

#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/sys/pages.h>

namespace mmt::heap {
namespace {

constexpr size_t kPages = 16;
constexpr size_t kBytes = kPages * sys::kPageSize;

class SparseBytesTest : public ::testing::Test {
 protected:
  SparseBytesTest() : at_(static_cast<char*>(sys::map_anywhere(kBytes))) {}
  ~SparseBytesTest() override { sys::unmap(at_, kBytes); }

  // Pages that are in memory.
  size_t resident() {
    unsigned char pages[kPages];
    EXPECT_TRUE(sys::look_for_pages(at_, kBytes, pages));
    size_t count = 0;
    for (const unsigned char page : pages) count += page & 1;
    return count;
  }

  char* at_;
};

TEST_F(SparseBytesTest, CopyLeavesPagesOfZerosAlone) {
  std::vector<char> from(kBytes);
  from[0] = 1;
  from[5 * sys::kPageSize + 4095] = 2;
  copy_to_zeroed(at_, from.data(), kBytes);
  EXPECT_EQ(resident(), 2u);
  EXPECT_EQ(memcmp(at_, from.data(), kBytes), 0);
}

TEST_F(SparseBytesTest, CopyNeedNotBeginOrEndWithAPage) {
  std::vector<char> from(kBytes, 7);
  const size_t offset = 100;
  const size_t bytes = kBytes - 300;
  copy_to_zeroed(at_ + offset, from.data(), bytes);
  for (size_t i = 0; i < kBytes; ++i)
    ASSERT_EQ(at_[i], i >= offset && i < offset + bytes ? 7 : 0) << i;
}

TEST_F(SparseBytesTest, ClearedBytesAreZeroAndNoOthers) {
  memset(at_, 3, kBytes);
  clear_sparsely(at_ + 1, kBytes - 2);
  EXPECT_EQ(at_[0], 3);
  EXPECT_EQ(at_[kBytes - 1], 3);
  for (size_t i = 1; i < kBytes - 1; ++i) ASSERT_EQ(at_[i], 0) << i;
}

// The system does not give memory for a page that is only read.
TEST_F(SparseBytesTest, ClearingZerosWritesNothing) {
  at_[3 * sys::kPageSize] = 1;
  ASSERT_EQ(mprotect(at_, 3 * sys::kPageSize, PROT_READ), 0);
  ASSERT_EQ(mprotect(at_ + 4 * sys::kPageSize, kBytes - 4 * sys::kPageSize, PROT_READ), 0);
  clear_sparsely(at_, kBytes);
  EXPECT_EQ(at_[3 * sys::kPageSize], 0);
}

}  // namespace
}  // namespace mmt::heap
