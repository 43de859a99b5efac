// The break as callers know it: as far as they asked, in one piece, and zero where it is new,
// whatever lies behind it.
#include "beside/program_break.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "backend/library.h"
#include "beside/break_parts.h"

namespace mmt::beside {

// Fake: whose calls these are is said by the test.
static bool is_librarys = true;

namespace {

constexpr intptr_t kPiece = 3 * 65536;
constexpr size_t kExtra = size_t{4} << 20;

char* now() { return static_cast<char*>(::sbrk(0)); }
char* really_now() { return reinterpret_cast<char*>(::syscall(SYS_brk, 0)); }
bool is_zero(const char* begin, size_t bytes) {
  return std::all_of(begin, begin + bytes, [](char c) { return c == 0; });
}

const void* noted = nullptr;

class ProgramBreak : public testing::Test {
 protected:
  void SetUp() override {
    before_ = now();
    extend_break_by(kExtra, [](const void* from) { noted = from; });
  }
  void TearDown() override {
    is_librarys = true;
    extend_break_by(0, [](const void*) {});
    ASSERT_EQ(::brk(before_), 0);
    EXPECT_EQ(now(), before_);
  }
  char* before_ = nullptr;
};

TEST_F(ProgramBreak, IsWhereTheCallersPutIt) {
  char* const first = static_cast<char*>(::sbrk(kPiece));
  EXPECT_EQ(first, before_);
  EXPECT_EQ(noted, first);
  EXPECT_EQ(now(), first + kPiece);
  EXPECT_GE(really_now(), now() + kExtra);
  char* const end = really_now();
  for (int i = 1; i < 10; ++i) EXPECT_EQ(::sbrk(kPiece), first + i * kPiece);
  EXPECT_EQ(really_now(), end) << "was moved though half of the room was left";
  for (int i = 10; i < 20; ++i) {
    EXPECT_EQ(::sbrk(kPiece), first + i * kPiece);
    EXPECT_GE(really_now(), now() + kExtra / 2);
  }
  EXPECT_EQ(::sbrk(2 * kExtra), first + 20 * kPiece) << "more than lies ahead";
  EXPECT_TRUE(is_zero(first, 20 * kPiece + 2 * kExtra));
}

TEST_F(ProgramBreak, WhatComesAgainIsZero) {
  char* const first = static_cast<char*>(::sbrk(kPiece));
  std::memset(first, 7, kPiece);
  EXPECT_EQ(::sbrk(-65536), first + kPiece);
  EXPECT_EQ(now(), first + kPiece - 65536);
  EXPECT_EQ(::sbrk(65536), first + kPiece - 65536);
  EXPECT_TRUE(is_zero(first + kPiece - 65536, 65536));
  EXPECT_FALSE(is_zero(first, kPiece - 65536));
  ASSERT_EQ(::brk(first), 0);
  EXPECT_EQ(now(), first);
  EXPECT_EQ(::sbrk(kPiece), first);
  EXPECT_TRUE(is_zero(first, kPiece));
}

TEST_F(ProgramBreak, GoesBackWhereMuchIsLeft) {
  char* const first = static_cast<char*>(::sbrk(5 * kExtra));
  EXPECT_EQ(::sbrk(-static_cast<intptr_t>(5 * kExtra)), first + 5 * kExtra);
  EXPECT_EQ(really_now(), first);
  EXPECT_EQ(now(), first);
}

TEST_F(ProgramBreak, OthersMoveItToo) {
  char* const first = static_cast<char*>(::sbrk(kPiece));
  char* const end = really_now();
  ASSERT_EQ(::syscall(SYS_brk, end + 8192), reinterpret_cast<long>(end + 8192));
  // libc has not seen that, and speaks of its own record: so do we.
  char* const second = static_cast<char*>(::sbrk(kPiece));
  EXPECT_TRUE(second == first + kPiece || second >= end);
  std::memset(second, 1, kPiece);
}

TEST_F(ProgramBreak, IsRaisedByBrkToo) {
  ASSERT_EQ(::brk(before_ + kPiece), 0);
  EXPECT_EQ(now(), before_ + kPiece);
  EXPECT_GE(really_now(), now() + kExtra);
  EXPECT_EQ(::sbrk(kPiece), before_ + kPiece);
  EXPECT_TRUE(is_zero(before_, 2 * kPiece));
}

TEST_F(ProgramBreak, WhatTheProgramTakesIsNotTheLibrarys) {
  const auto end_at = [](const char* at) {
    return reinterpret_cast<char*>(end_of_break_at(reinterpret_cast<uintptr_t>(at)));
  };
  begin_break(reinterpret_cast<uintptr_t>(before_));
  char* const first = static_cast<char*>(::sbrk(kPiece));
  EXPECT_EQ(end_at(first), really_now());
  const uint32_t version = break_version();
  is_librarys = false;
  char* const programs = static_cast<char*>(::sbrk(2 * kPiece));
  EXPECT_EQ(programs, first + kPiece);
  EXPECT_EQ(really_now(), programs + 2 * kPiece) << "no room is kept ahead of the program's";
  EXPECT_NE(break_version(), version);
  EXPECT_EQ(end_at(first), programs);
  EXPECT_EQ(end_at(programs), nullptr);
  ASSERT_EQ(::brk(programs + 3 * kPiece), 0);
  EXPECT_EQ(end_at(programs + 2 * kPiece), nullptr);
  is_librarys = true;
  char* const second = static_cast<char*>(::sbrk(kPiece));
  EXPECT_EQ(second, programs + 3 * kPiece);
  EXPECT_EQ(end_at(second), really_now());
  EXPECT_EQ(end_at(first), programs);
  is_librarys = false;
  EXPECT_EQ(::sbrk(-(2 * kPiece)), second + kPiece);
  EXPECT_EQ(end_at(programs + kPiece), nullptr);
  is_librarys = true;
  char* const third = static_cast<char*>(::sbrk(kPiece));
  EXPECT_EQ(end_at(third), really_now());
}

TEST_F(ProgramBreak, MoreThanThereIsIsRefused) {
  char* const at = now();
  EXPECT_EQ(::sbrk(INTPTR_MAX), reinterpret_cast<void*>(-1));
  EXPECT_EQ(now(), at);
  EXPECT_EQ(::sbrk(kPiece), at);
}

}  // namespace
}  // namespace mmt::beside

bool mmt::backend::is_of_library(const void*) { return beside::is_librarys; }
