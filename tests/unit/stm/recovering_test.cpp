// Doomed attempts over memory that has another owner, or is gone: they end, are counted, and the
// body begins anew. On every design, without safe privatization and with immediate reclamation.
#include <sys/mman.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include <gtest/gtest.h>

#include <mmt/stm/atomically.h>
#include <mmt/stm/recovering.h>

#include "unit/stm/designs.h"

namespace mmt::stm {
namespace {

constexpr size_t kPage = 4096;

// Its links lie in stripes of their own: a free locks the first word only.
struct alignas(kPage) Node {
  long value;
  char apart[5 * 32 - sizeof(long)];
  Node* next;
};

enum class Freed { kKept, kGone };

// A node of a page, which a free keeps or takes away, and a link to it.
Freed when_freed;
Node* page;

void free_page_or_block(void* block) {
  if (block != page) return std::free(block);
  if (when_freed == Freed::kGone) ::mprotect(page, kPage, PROT_NONE);
}

class Recovering : public testing::TestWithParam<Design> {
 protected:
  void SetUp() override {
    void* const at =
        ::mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(at, MAP_FAILED);
    page = ::new (at) Node{7, {}, nullptr};
    link() = page;
  }
  void TearDown() override { ::munmap(static_cast<void*>(page), kPage); }

  static Options options(unsigned validate_every) {
    Options options = options_for_one_thread();
    options.design = GetParam();
    options.reclamation = Reclamation::kImmediate;
    options.log2_orecs = 4;
    options.validate_every = validate_every;
    options.supply.free = free_page_or_block;
    return options;
  }

  // Words of each of the orecs; the link to the node is under the tenth.
  static constexpr size_t kLink = 9;
  long& word_of_orec(size_t orec) { return words_[orec * 4]; }
  Node*& link() { return reinterpret_cast<Node*&>(word_of_orec(kLink)); }

  // Another takes the node out and frees it; its next owner writes what the attempt still reads.
  void recycle(Memory& memory, Freed freed) {
    when_freed = freed;
    Thread other(memory);
    atomically(other, [&](Tx& tx) {
      tx.write(link(), nullptr);
      tx.free(page);
    });
    if (freed == Freed::kKept) page->next = page;
  }

 private:
  alignas(512) long words_[64] = {};
};

// How many steps a walk over a node makes whose next is itself by now, at most so many.
constexpr int kEndless = 100'000;

template <class Run>
int steps_of_walk(Run&& run) {
  int most = 0;
  run([&](Tx& tx, Node*& link, auto&& recycle) {
    Node* node = tx.read(link);
    recycle();
    int steps = 0;
    while (node != nullptr && steps < kEndless) {
      node = tx.read(node->next);
      most = ++steps > most ? steps : most;
    }
  });
  return most;
}

TEST_P(Recovering, AWalkOverRecycledMemoryEnds) {
  for (const bool read_only : {false, true}) {
    link() = page;
    page->next = nullptr;
    Memory memory(options(50));
    Thread thread(memory);
    bool first = true;
    const int steps = steps_of_walk([&](auto&& walk) {
      const auto body = [&](Tx& tx) {
        walk(tx, link(), [&] {
          if (first) recycle(memory, Freed::kKept);
          first = false;
        });
      };
      if (read_only) {
        atomically_read_only(thread, body);
      } else {
        atomically(thread, body);
      }
    });
    EXPECT_LE(steps, 50);
    const Statistics seen = memory.statistics();
    EXPECT_EQ(seen.aborted(), 1U);
    // NOrec looks as soon as anybody has committed.
    const bool norec = GetParam() == Design::kNorec;
    EXPECT_EQ(seen.of(norec ? Reason::kValidateRead : Reason::kValidateMidway), 1U);
    EXPECT_EQ(seen.commits, 2U);
  }
}

// What the test above would show without the option.
TEST_P(Recovering, WithoutValidationItGoesOn) {
  if (GetParam() == Design::kNorec) return;
  Memory memory(options(0));
  Thread thread(memory);
  bool first = true;
  const int steps = steps_of_walk([&](auto&& walk) {
    atomically(thread, [&](Tx& tx) {
      walk(tx, link(), [&] {
        if (first) recycle(memory, Freed::kKept);
        first = false;
      });
    });
  });
  EXPECT_EQ(steps, kEndless);
}

TEST_P(Recovering, AnAttemptWhoseReadsHoldGoesOn) {
  Memory memory(options(1));
  Thread thread(memory);
  const long sum = atomically(thread, [&](Tx& tx) {
    long all = 0;
    for (int i = 0; i < 100; ++i) all += tx.read(page->value);
    tx.write(page->value, 8L);
    return all + tx.read(page->value);
  });
  EXPECT_EQ(sum, 708);
  EXPECT_EQ(memory.statistics().aborted(), 0U);
}

TEST_P(Recovering, WhatADoomedAttemptThrowsMeansNothing) {
  Memory memory(options(1'000));
  Thread thread(memory);
  bool first = true;
  atomically(thread, [&](Tx& tx) {
    Node* const node = tx.read(link());
    if (!first) return;
    first = false;
    recycle(memory, Freed::kKept);
    if (node != nullptr) throw std::length_error("as many elements as recycled memory says");
  });
  EXPECT_EQ(memory.statistics().of(Reason::kValidateMidway), 1U);
  EXPECT_THROW(atomically(thread, [](Tx&) { throw std::length_error("the program's"); }),
               std::length_error);
}

// Runs body(tx, node) with a node that is gone; once more, without it.
template <class Body>
void with_gone(Memory& memory, Node*& link, Body&& body, auto&& recycle) {
  Thread thread(memory);
  bool first = true;
  atomically_recovering(thread, [&](Tx& tx) {
    Node* const node = tx.read(link);
    if (node == nullptr) return;
    body(tx, node, [&] {
      if (first) recycle();
      first = false;
    });
  });
}

TEST_P(Recovering, AFaultEndsADoomedAttempt) {
  Memory memory(options(0));
  const auto gone = [&] { recycle(memory, Freed::kGone); };
  with_gone(
      memory, link(),
      [](Tx& tx, Node* node, auto&& recycle) {
        recycle();
        (void)tx.read(node->next);
        FAIL() << "read what is gone";
      },
      gone);
  const Statistics seen = memory.statistics();
  EXPECT_EQ(seen.of(Reason::kFault), 1U);
  EXPECT_EQ(seen.commits, 2U);
  EXPECT_EQ(seen.attempts, seen.commits + seen.aborted());
}

// Also what the body reads plainly, as of a block that it has taken out.
TEST_P(Recovering, APlainFaultEndsIt) {
  Memory memory(options(0));
  const auto gone = [&] { recycle(memory, Freed::kGone); };
  with_gone(
      memory, link(),
      [](Tx&, Node* node, auto&& recycle) {
        recycle();
        *static_cast<volatile long*>(&node->value) = 1;
      },
      gone);
  EXPECT_EQ(memory.statistics().of(Reason::kFault), 1U);
}

// NOrec compares values at its commit; the others' locks say enough.
TEST_P(Recovering, WhatItReadIsGoneAtItsCommit) {
  Memory memory(options(0));
  const auto gone = [&] { recycle(memory, Freed::kGone); };
  with_gone(
      memory, link(),
      [&](Tx& tx, Node* node, auto&& recycle) {
        (void)tx.read(node->next);
        tx.write(word_of_orec(1), 1L);
        recycle();
      },
      gone);
  EXPECT_EQ(memory.statistics().aborted(), 1U);
  EXPECT_EQ(word_of_orec(1), 0);
}

// NOrec meets it again while it looks whether the fault is an attempt's.
TEST_P(Recovering, WhatItReadFirstIsGone) {
  Memory memory(options(0));
  Thread thread(memory);
  bool first = true;
  atomically_recovering(thread, [&](Tx& tx) {
    if (!first) return;
    first = false;
    (void)tx.read(page->next);
    (void)tx.read(link());
    recycle(memory, Freed::kGone);
    (void)tx.read(page->next);
    FAIL() << "read what is gone";
  });
  EXPECT_EQ(memory.statistics().of(Reason::kFault), 1U);
}

// What a commit has begun to write cannot be undone, even if what it read has changed since.
struct sigaction recovering_action;
void (*before_recovering)();
void commit_another_first(int signal) {
  before_recovering();
  ::sigaction(signal, &recovering_action, nullptr);
}

TEST_P(Recovering, AFaultOfACommitIsNone) {
  if (GetParam() == Design::kWriteThrough || GetParam() == Design::kNorec) return;
  static Memory* memory;
  static long* read;
  Memory its_memory(options(0));
  memory = &its_memory;
  read = &word_of_orec(1);
  before_recovering = [] {
    Thread other(*memory);
    atomically(other, [&](Tx& tx) { tx.write(*read, 1L); });
  };
  const auto err = [&] {
    Thread thread(*memory);
    bool first = true;
    atomically_recovering(thread, [&](Tx& tx) {
      if (!first) std::_Exit(0);
      first = false;
      struct sigaction action = {};
      action.sa_handler = commit_another_first;
      ::sigaction(SIGSEGV, &action, &recovering_action);
      (void)tx.read(*read);
      tx.write(word_of_orec(5), 1L);
      tx.write(page->value, 8L);
      ::mprotect(page, kPage, PROT_NONE);
    });
  };
  EXPECT_DEATH(err(), "");
}

TEST_P(Recovering, NoLockIsLeft) {
  Memory memory(options(0));
  const auto gone = [&] { recycle(memory, Freed::kGone); };
  with_gone(
      memory, link(),
      [&](Tx& tx, Node* node, auto&& recycle) {
        tx.write(word_of_orec(1), 1L);
        recycle();
        tx.write(node->next, nullptr);
      },
      gone);
  EXPECT_EQ(memory.statistics().aborted(), 1U);
  EXPECT_EQ(word_of_orec(1), 0);
  ASSERT_EQ(memory.orec_of(&word_of_orec(5)), memory.orec_of(&page->next));
  Thread same_number(memory), thread(memory);  // the first would find such a lock to be its own
  atomically(thread, [&](Tx& tx) {
    tx.write(word_of_orec(1), 2L);
    tx.write(word_of_orec(5), 3L);
  });
  EXPECT_EQ(word_of_orec(1) + word_of_orec(5), 5);
  EXPECT_EQ(memory.statistics().aborted(), 1U);
}

// The transaction on another memory is over as well, and what it allocated is freed.
TEST_P(Recovering, AFaultWithinAnotherMemorysTransaction) {
  Memory memory(options(0)), inner(options(0));
  Thread inner_thread(inner);
  const auto gone = [&] { recycle(memory, Freed::kGone); };
  with_gone(
      memory, link(),
      [&](Tx&, Node* node, auto&& recycle) {
        recycle();
        atomically_recovering(inner_thread, [&](Tx& tx) {
          (void)tx.allocate(16);
          tx.write(word_of_orec(1), node->value);
        });
      },
      gone);
  EXPECT_EQ(memory.statistics().of(Reason::kFault), 1U);
  const Statistics seen = inner.statistics();
  EXPECT_EQ(seen.of(Reason::kFault), 1U);
  EXPECT_EQ(seen.undone, 1U);
  EXPECT_EQ(seen.commits, 0U);
  atomically_recovering(inner_thread, [&](Tx& tx) { tx.write(word_of_orec(1), 4L); });
  EXPECT_EQ(word_of_orec(1), 4);
}

// Its reads hold: the fault is the program's.
TEST_P(Recovering, AnErrorOfTheProgramStaysOne) {
  Memory memory(options(10));
  const auto err = [&] {
    Thread thread(memory);
    atomically_recovering(thread, [&](Tx& tx) {
      ::mprotect(page, kPage, PROT_NONE);
      (void)tx.read(page->value);
    });
  };
  EXPECT_DEATH(err(), "");  // by the signal, or by a sanitizer that catches it
}

INSTANTIATE_TEST_SUITE_P(Designs, Recovering,
                         testing::Values(Design::kWriteBackEncounter, Design::kWriteBackCommit,
                                         Design::kWriteThrough, Design::kNorec),
                         [](const auto& info) { return std::string(name_of(info.param)); });

}  // namespace
}  // namespace mmt::stm
