// What a commit has taken out of the shared words is the committer's own: it waits for attempts
// that saw it shared. And what runs while nobody else does can fork.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include <mmt/stm/atomically.h>

#include "unit/stm/designs.h"

namespace mmt::stm {
namespace {

class Alone : public testing::TestWithParam<Setting> {};

TEST_P(Alone, TheCommitWaitsForWhoSawItShared) {
  Options options = GetParam().options;
  options.safe_privatization = true;
  Memory memory(options);
  alignas(64) long shared = 1, other_word = 1;
  std::atomic<bool> has_seen{false}, takes{false}, has_ended{false};
  std::thread reader([&] {
    Thread thread(memory);
    bool first = true;
    atomically(thread, [&](Tx& tx) {
      (void)tx.read(shared);
      if (!first) return;
      first = false;
      has_seen = true;
      while (!takes.load()) std::this_thread::yield();
      for (int i = 0; i < 200; ++i) std::this_thread::yield();
      has_ended = true;  // before the attempt does
    });
  });
  while (!has_seen.load()) std::this_thread::yield();
  Thread thread(memory);
  atomically(thread, [&](Tx& tx) {
    tx.write(shared, 0);
    tx.write(other_word, 0);
    takes = true;
  });
  EXPECT_TRUE(has_ended.load());
  reader.join();
}

// One thread takes a word out, and a second sees that and uses the word. A third thread, whose
// attempt began when the word was shared, has ended by then. The second may as well throw out of
// its body what it has seen.
void expect_owned_by_who_saw_it(Options options, bool throws) {
  options.safe_privatization = true;
  options.most_retries = ~0U;  // nobody waits for the attempt that waits here
  Memory memory(options);
  alignas(64) long words[8] = {};  // under two orecs
  long& taken = words[0];
  long& word = words[4];
  std::atomic<bool> is_seen{false}, is_used{false};
  std::thread taker, user;
  const auto take = [&] {
    Thread thread(memory);
    atomically(thread, [&](Tx& tx) { tx.write(taken, 1); });
  };
  const auto use = [&] {
    Thread thread(memory);
    const auto look = [&](Tx& tx) {
      if (tx.read(taken) == 0) return;
      is_seen = true;
      if (throws) throw 1;
    };
    while (__atomic_load_n(&taken, __ATOMIC_ACQUIRE) == 0) std::this_thread::yield();
    try {
      while (!is_seen) atomically_read_only(thread, look);
    } catch (int) {
    }
    word = 7;
    is_used = true;
  };
  Thread thread(memory);
  bool first = true;
  atomically(thread, [&](Tx& tx) {
    if (tx.read(taken) == 0) tx.write(word, 1);
    if (!first) return;
    first = false;
    taker = std::thread(take);
    user = std::thread(use);
    while (!is_seen) std::this_thread::yield();
    for (int i = 0; i < 200; ++i) std::this_thread::yield();
    EXPECT_FALSE(is_used);
  });
  taker.join();
  user.join();
  EXPECT_EQ(word, 7);
}

TEST_P(Alone, WhoSawThatItWasTakenWaitsToo) {
  if (GetParam().options.hash != Hash::kMask) return;  // taken and word may share an orec
  expect_owned_by_who_saw_it(GetParam().options, false);
  expect_owned_by_who_saw_it(GetParam().options, true);
}

// The child's transactions go on by themselves, and so do the parent's.
void fork_and_check(Thread& thread, long* word, pid_t child) {
  if (child == 0) {
    bool right = false;
    if (thread.running()) Tx(thread).write(*word, 5L);
    if (thread.running()) {
      right = Tx(thread).read(*word) == 5 && thread.commit();
    } else {
      atomically(thread, [&](Tx& tx) { tx.write(*word, tx.read(*word) + 1); });
      right = *word == 2;
    }
    if (right) {
      const long before = *word;
      atomically(thread, [&](Tx& tx) { tx.write(*word, before + 1); });
      right = *word == before + 1;
    }
    _exit(right ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_P(Alone, ForksWhileNoTransactionRuns) {
  Memory memory(GetParam().options);
  Thread thread(memory);
  long word = 0;
  atomically(thread, [&](Tx& tx) { tx.write(word, 1); });
  fork_and_check(thread, &word, fork());
  atomically(thread, [&](Tx& tx) { tx.write(word, tx.read(word) + 2); });
  EXPECT_EQ(word, 3);
}

TEST_P(Alone, ForksInsideAnIrrevocableOne) {
  Memory memory(GetParam().options);
  Thread thread(memory);
  long word = 1;
  atomically(thread, [&](Tx& tx) {
    tx.write(word, tx.read(word) + 1);
    tx.become_irrevocable();
    fork_and_check(thread, &word, fork());
    tx.write(word, tx.read(word) + 1);
  });
  EXPECT_EQ(word, 3);
  atomically(thread, [&](Tx& tx) { tx.write(word, tx.read(word) + 1); });
  EXPECT_EQ(word, 4);
}

INSTANTIATE_TEST_SUITE_P(Designs, Alone, testing::ValuesIn(settings({2, 12})),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace mmt::stm
