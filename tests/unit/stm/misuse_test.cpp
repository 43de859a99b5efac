// Calls of a Tx outside of its body are errors, and so are bodies that a jump has left. Once told,
// they keep no other thread waiting.
#include <csetjmp>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include <mmt/core/compiler.h>
#include <mmt/stm/atomically.h>

#include "unit/stm/designs.h"

namespace mmt::stm {
namespace {

// With what is safe by default: a commit waits for the attempts that run.
class Misuse : public testing::TestWithParam<Design> {
 protected:
  static Options options() {
    Options options;
    options.design = GetParam();
    return options;
  }
  // Another thread does, which no attempt may keep waiting.
  void expect_commits() {
    const long before = x_;
    std::thread([&] {
      Thread other(memory_);
      atomically(other, [&](Tx& tx) { tx.write(x_, tx.read(x_) + 1); });
    }).join();
    EXPECT_EQ(x_, before + 1);
  }

  Memory memory_{options()};
  Thread thread_{memory_};
  long x_ = 1;
};

TEST_P(Misuse, ATxOutsideOfATransaction) {
  for (const bool first : {true, false}) {
    SCOPED_TRACE(first ? "before any transaction" : "after one");
    Tx tx(thread_);
    EXPECT_THROW((void)tx.read(x_), std::logic_error);
    EXPECT_THROW(tx.write(x_, 2L), std::logic_error);
    EXPECT_THROW((void)tx.allocate(8), std::logic_error);
    EXPECT_THROW(tx.free(&x_), std::logic_error);
    EXPECT_THROW((void)tx.create<long>(), std::logic_error);
    EXPECT_THROW(tx.retry(), std::logic_error);
    EXPECT_THROW(tx.become_irrevocable(), std::logic_error);
    EXPECT_EQ(x_, 1);
    expect_commits();
    x_ = 1;
    EXPECT_EQ(atomically(thread_, [&](Tx& inside) { return inside.read(x_); }), 1);
  }
  EXPECT_EQ(memory_.statistics().aborted(), 0U);
}

std::jmp_buf g_before_the_jump;
// In a frame of its own.
MMT_NOINLINE void write_and_jump(Thread& thread, long& x) {
  atomically(thread, [&](Tx& tx) {
    tx.write(x, 7L);
    std::longjmp(g_before_the_jump, 1);
  });
}

TEST_P(Misuse, AJumpOutOfABodyIsToldByTheNextTransaction) {
  if (setjmp(g_before_the_jump) == 0) write_and_jump(thread_, x_);
  const auto body = [&](Tx& tx) { tx.write(x_, tx.read(x_) + 1); };
  EXPECT_THROW(atomically(thread_, body), std::logic_error);
  EXPECT_EQ(x_, 1);
  expect_commits();
  atomically(thread_, body);
  EXPECT_EQ(x_, 3);
}

// The frames of both are the same.
TEST_P(Misuse, AJumpOutOfTheSameBodyTwice) {
  volatile int jumps = 0;
  if (setjmp(g_before_the_jump) != 0) jumps = jumps + 1;
  if (jumps == 0) {
    write_and_jump(thread_, x_);
  } else {
    EXPECT_THROW(write_and_jump(thread_, x_), std::logic_error);
  }
  EXPECT_EQ(jumps, 1);
  EXPECT_EQ(x_, 1);
  expect_commits();
}

TEST_P(Misuse, AThreadThatEndsAfterAJump) {
  std::thread([&] {
    static thread_local std::jmp_buf place;
    Thread thread(memory_);
    if (setjmp(place) == 0) {
      atomically(thread, [&](Tx& tx) {
        tx.write(x_, 7L);
        std::longjmp(place, 1);
      });
    }
  }).join();
  EXPECT_EQ(x_, 1);
  expect_commits();
}

// Deeper calls, of one function too, are parts of the transaction around them.
long nested(Thread& thread, long& x, int depth) {
  return atomically(thread, [&](Tx& tx) {
    tx.write(x, tx.read(x) + 1);
    if (depth > 0) nested(thread, x, depth - 1);
    return tx.read(x);
  });
}

TEST_P(Misuse, NestingIsNone) {
  EXPECT_EQ(nested(thread_, x_, 3), 5);
  EXPECT_EQ(
      atomically(thread_,
                 [&](Tx&) { return atomically(thread_, [&](Tx& tx) { return tx.read(x_); }); }),
      5);
  EXPECT_EQ(memory_.statistics().commits, 2U);
}

INSTANTIATE_TEST_SUITE_P(Designs, Misuse,
                         testing::Values(Design::kWriteBackEncounter, Design::kWriteBackCommit,
                                         Design::kWriteThrough, Design::kNorec),
                         [](const auto& info) { return std::string(name_of(info.param)); });

}  // namespace
}  // namespace mmt::stm
