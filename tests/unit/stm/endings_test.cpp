// The work of a transaction that ends in an unusual way counts once or not at all, on every design.
// No lock is left, and the counts add up.
#include <pthread.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <stdexcept>

#include <gtest/gtest.h>

#include <mmt/stm/atomically.h>

#include "unit/stm/designs.h"

namespace mmt::stm {
namespace {

class Endings : public testing::TestWithParam<Setting> {
 protected:
  Memory memory_{GetParam().options};
  Thread thread_{memory_};
};

template <class Function>
void* call(void* function) {
  (*static_cast<Function*>(function))();
  return nullptr;
}

// Every other copy of it throws: that from the body to what waits for the commit does not.
struct ThrowsWhenReturned {
  explicit ThrowsWhenReturned(int* copies_made) : copies(copies_made) {}
  ThrowsWhenReturned(const ThrowsWhenReturned& other) : copies(other.copies) {
    if (++*copies % 2 == 0) throw std::runtime_error("copied");
  }
  int* copies;
};

TEST_P(Endings, WhatHasCommittedIsNotUndone) {
  int x = 1, copies = 0;
  const auto body = [&](Tx& tx) {
    tx.write(x, 2);
    return ThrowsWhenReturned(&copies);
  };
  EXPECT_THROW(atomically(thread_, body), std::runtime_error);
  EXPECT_EQ(x, 2);
  const Statistics seen = memory_.statistics();
  EXPECT_EQ(seen.attempts, 1U);
  EXPECT_EQ(seen.commits, 1U);
  EXPECT_EQ(seen.aborted(), 0U);
}

// Also of an attempt that is doomed already.
TEST_P(Endings, TheThreadEndsInTheBody) {
  for (const bool doomed : {false, true}) {
    long x = 1;
    const auto body = [&](Tx& tx) {
      tx.write(x, 2L);
      try {
        if (doomed) tx.retry();
      } catch (const Aborted&) {
      }
      pthread_exit(nullptr);
    };
    auto run = [&] {
      Thread thread(memory_);
      atomically(thread, body);
    };
    pthread_t ends;
    ASSERT_EQ(pthread_create(&ends, nullptr, &call<decltype(run)>, &run), 0);
    ASSERT_EQ(pthread_join(ends, nullptr), 0);
    EXPECT_EQ(x, 1);
    atomically(thread_, [&](Tx& tx) { tx.write(x, 3L); });  // no lock is left
    EXPECT_EQ(x, 3);
  }
}

struct Node {
  long value;
};
struct Destroys {
  ~Destroys() { tx.destroy(node); }
  Tx& tx;
  Node* node;
};
struct Writes {
  ~Writes() { tx.write(at, 5L); }
  Tx& tx;
  long& at;
};

TEST_P(Endings, ADestructorFreesAndWritesInADoomedAttempt) {
  long x = 0, y = 0;
  int attempts = 0;
  atomically(thread_, [&](Tx& tx) {
    const Destroys destroys{tx, tx.create<Node>()};
    const Writes writes{tx, y};
    tx.write(x, tx.read(x) + 1);
    if (++attempts == 1) tx.retry();
  });
  EXPECT_EQ(attempts, 2);
  EXPECT_EQ(x, 1);
  EXPECT_EQ(y, 5);
}

// Another holds the word's lock, where the design has one before commits.
TEST_P(Endings, ADestructorsWriteThatIsRefused) {
  Thread other(memory_);
  long x = 1;
  other.start(false);
  other.begin();
  ASSERT_TRUE(other.write(reinterpret_cast<RealWorld::Word*>(&x), 3, ~uint64_t{0}));
  int attempts = 0;
  atomically(thread_, [&](Tx& tx) {
    if (++attempts == 2) other.give_up(Reason::kException);
    const Writes writes{tx, x};
  });
  EXPECT_EQ(x, 5);
  if (attempts == 1) other.give_up(Reason::kException);
  EXPECT_EQ(x, 5);
  const bool locks_early = GetParam().options.design == Design::kWriteBackEncounter ||
                           GetParam().options.design == Design::kWriteThrough;
  EXPECT_EQ(attempts, locks_early ? 2 : 1);
}

TEST_P(Endings, AbortedThatTheBodyThrowsIsAnException) {
  int x = 1;
  EXPECT_THROW(atomically(thread_,
                          [&](Tx& tx) {
                            tx.write(x, 2);
                            throw Aborted();
                          }),
               Aborted);
  EXPECT_EQ(x, 1);
  EXPECT_EQ(memory_.statistics().of(Reason::kException), 1U);
  Thread other(memory_);
  atomically(other, [&](Tx& tx) { tx.write(x, 3); });  // no lock is left
  EXPECT_EQ(x, 3);
}

TEST_P(Endings, OnTwoMemories) {
  Memory inner_memory(GetParam().options);
  Thread inner(inner_memory);
  int x = 1, y = 1, attempts = 0;
  atomically(thread_, [&](Tx& tx) {
    ++attempts;
    tx.write(x, tx.read(x) + 1);
    atomically(inner, [&](Tx& tx_inside) {
      tx_inside.write(y, tx_inside.read(y) + 1);
      if (attempts == 1) tx.retry();
    });
  });
  EXPECT_EQ(attempts, 2);
  EXPECT_EQ(x, 2);
  EXPECT_EQ(y, 2);
  for (Memory* memory : {&memory_, &inner_memory}) {
    const Statistics seen = memory->statistics();
    EXPECT_EQ(seen.attempts, 2U);
    EXPECT_EQ(seen.commits, 1U);
    EXPECT_EQ(seen.aborted(), 1U);
  }
}

// Fakes: a supply that says no from some point on, and the largest block it gave.
bool g_refuses = false;
size_t g_largest = 0;
void* limited(size_t bytes) {
  if (g_refuses) return nullptr;
  g_largest = std::max(g_largest, bytes);
  return std::malloc(bytes);
}

TEST_P(Endings, ABodyThatCatchesBadAlloc) {
  Options options = GetParam().options;
  options.supply.allocate = limited;
  Memory memory(options);
  Thread thread(memory);
  int x = 1;
  g_refuses = true;
  const auto body = [&](Tx& tx) {
    try {
      tx.write(x, 2);
    } catch (const std::bad_alloc&) {
    }
  };
  EXPECT_THROW(atomically(thread, body), std::bad_alloc);
  g_refuses = false;
  EXPECT_EQ(x, 1);
  EXPECT_EQ(memory.statistics().of(Reason::kNoMemory), 1U);
  atomically(thread, body);
  EXPECT_EQ(x, 2);
}

TEST_P(Endings, PartsWrittenInTurnTakeOneEntryEach) {
  Options options = GetParam().options;
  options.supply.allocate = limited;
  options.design = Design::kWriteThrough;
  Memory memory(options);
  Thread thread(memory);
  alignas(8) unsigned parts[2] = {7, 8};
  g_largest = 0;
  bool again = false;
  atomically(thread, [&](Tx& tx) {
    if (again) return;
    again = true;
    for (unsigned i = 0; i < 10000; ++i) tx.write(parts[i & 1], i);
    tx.retry();
  });
  EXPECT_LT(g_largest, 64U * 1024);
  EXPECT_EQ(parts[0], 7U);
  EXPECT_EQ(parts[1], 8U);
}

INSTANTIATE_TEST_SUITE_P(Designs, Endings, testing::ValuesIn(settings({0, 10})),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace mmt::stm
