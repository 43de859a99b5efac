// Where a mapping ends, by the kernel's own list.
#include "agnostic/beside/mapping.h"

#include <sys/mman.h>

#include <cstdint>

#include <gtest/gtest.h>

namespace mmt::agnostic {
namespace {

constexpr size_t kPage = 4096;

class Mapped : public testing::Test {
 protected:
  // 16 pages with no neighbours.
  void SetUp() override {
    all_ = static_cast<char*>(
        ::mmap(nullptr, 18 * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(all_, MAP_FAILED);
    ASSERT_EQ(::mprotect(all_ + kPage, 16 * kPage, PROT_READ | PROT_WRITE), 0);
  }
  void TearDown() override { ::munmap(all_, 18 * kPage); }
  uintptr_t at(size_t page) const { return reinterpret_cast<uintptr_t>(all_ + page * kPage); }

  char* all_ = nullptr;
};

TEST_F(Mapped, EndsWhereItIsNoLongerWritable) {
  EXPECT_EQ(end_of_mapping(at(1)), at(17));
  EXPECT_EQ(end_of_mapping(at(16) + kPage - 1), at(17));
  ASSERT_EQ(::mprotect(all_ + 8 * kPage, kPage, PROT_READ), 0);
  EXPECT_EQ(end_of_mapping(at(1)), at(8));
  EXPECT_EQ(end_of_mapping(at(8)), 0U);
  EXPECT_EQ(end_of_mapping(at(9)), at(17));
}

TEST_F(Mapped, WhatIsNotPlainMemoryHasNone) {
  EXPECT_EQ(end_of_mapping(at(0)), 0U);
  EXPECT_EQ(end_of_mapping(0), 0U);
  const int on_stack = 0;
  EXPECT_EQ(end_of_mapping(reinterpret_cast<uintptr_t>(&on_stack)), 0U);
  EXPECT_EQ(end_of_mapping(reinterpret_cast<uintptr_t>(&end_of_mapping)), 0U);
}

}  // namespace
}  // namespace mmt::agnostic
