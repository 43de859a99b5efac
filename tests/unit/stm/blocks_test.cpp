// Blocks of transactions: undone on abort, freed at commit and not before it is safe, kept and
// handed over as the options say.
#include <atomic>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/stm/atomically.h>

#include "unit/stm/designs.h"

namespace mmt::stm {
namespace {

// Fake: malloc that knows its live blocks of one size.
constexpr size_t kBytes = 40;
std::mutex g_mutex;
std::set<void*> g_live;
int g_made = 0;
std::vector<size_t> g_batches;

void* make(size_t bytes) {
  void* const block = std::malloc(bytes);
  if (bytes == kBytes) {
    const std::lock_guard lock(g_mutex);
    ++g_made;
    g_live.insert(block);
  }
  return block;
}
void end(void* block) {
  {
    const std::lock_guard lock(g_mutex);
    g_live.erase(block);
  }
  std::free(block);
}
bool live(void* block) {
  const std::lock_guard lock(g_mutex);
  return g_live.contains(block);
}
void end_batch(void* const* blocks, size_t count) {
  g_batches.push_back(count);
  for (size_t i = 0; i < count; ++i) end(blocks[i]);
}

class StmBlocks : public testing::TestWithParam<Setting> {
 protected:
  void SetUp() override {
    g_live.clear();
    g_batches.clear();
    g_made = 0;
    options_ = GetParam().options;
    options_.supply = {make, end, nullptr};
    options_.reclamation = Reclamation::kImmediate;  // so that each test sees what a commit does
  }
  Options options_;
};

TEST_P(StmBlocks, UndoneWhenItAborts) {
  Memory memory(options_);
  Thread thread(memory);
  int attempts = 0;
  void* block = nullptr;
  atomically(thread, [&](Tx& tx) {
    block = tx.allocate(kBytes);
    EXPECT_EQ(g_live.size(), 1U);
    if (++attempts < 3) tx.retry();
  });
  EXPECT_EQ(g_live, std::set<void*>{block});
  EXPECT_EQ(g_made, 3);
  EXPECT_THROW(atomically(thread,
                          [&](Tx& tx) {
                            tx.free(block, kBytes);
                            (void)tx.allocate(kBytes);
                            throw 1;
                          }),
               int);
  EXPECT_EQ(g_live, std::set<void*>{block});
  atomically(thread, [&](Tx& tx) {
    tx.free(block, kBytes);
    tx.free(nullptr);
    EXPECT_EQ(g_live.size(), 1U);
  });
  EXPECT_TRUE(g_live.empty());
  const Statistics seen = memory.statistics();
  EXPECT_EQ(seen.allocations, 4U);
  EXPECT_EQ(seen.undone, 3U);
}

TEST_P(StmBlocks, AllocatedAndFreedInOne) {
  Memory memory(options_);
  Thread thread(memory);
  atomically(thread, [&](Tx& tx) {
    long* const object = tx.create<long>(3);
    tx.write(*object, 4);
    EXPECT_EQ(tx.read(*object), 4);
    tx.destroy(object);
    tx.free(tx.allocate(kBytes), kBytes);
  });
  EXPECT_TRUE(g_live.empty());
}

TEST_P(StmBlocks, HandedOverAsOne) {
  options_.supply.free_batch = end_batch;
  Memory memory(options_);
  Thread thread(memory);
  std::vector<void*> blocks(5);
  atomically(thread, [&](Tx& tx) {
    for (void*& block : blocks) block = tx.allocate(kBytes);
  });
  atomically(thread, [&](Tx& tx) {
    for (void* const block : blocks) tx.free(block, kBytes);
  });
  EXPECT_EQ(g_batches, std::vector<size_t>{5});
  EXPECT_EQ(memory.statistics().batched, 5U);
  EXPECT_TRUE(g_live.empty());
}

TEST_P(StmBlocks, CachedAsTheOptionsSay) {
  for (const Caching caching :
       {Caching::kNone, Caching::kAbort, Caching::kCommit, Caching::kBoth}) {
    const bool aborted = caching == Caching::kAbort || caching == Caching::kBoth;
    const bool committed = caching == Caching::kCommit || caching == Caching::kBoth;
    options_.caching = caching;
    options_.most_cached = 3;
    {
      Memory memory(options_);
      Thread thread(memory);
      int attempts = 0;
      std::vector<void*> blocks(5);
      atomically(thread, [&](Tx& tx) {
        for (void*& block : blocks) block = tx.allocate(kBytes);
        if (++attempts == 1) tx.retry();
      });
      EXPECT_EQ(memory.statistics().reused, aborted ? 3U : 0U);
      EXPECT_EQ(g_live.size(), 5U);
      atomically(thread, [&](Tx& tx) {
        for (void* const block : blocks) tx.free(block, kBytes);
      });
      EXPECT_EQ(g_live.size(), committed ? 3U : 0U);
    }
    EXPECT_TRUE(g_live.empty()) << "what a thread kept ends with it";
  }
}

// Blocks are kept for each size, since a program's own block of 12 bytes may have no 16.
TEST_P(StmBlocks, CachedByTheirSizes) {
  options_.caching = Caching::kCommit;
  Memory memory(options_);
  Thread thread(memory);
  uint64_t reused = 0;
  for (const size_t bytes : {8, 12, 16, 20, 100, 255, 256}) {
    const auto take = [&](Tx& tx) { return tx.allocate(bytes); };
    for (int i = 0; i < 3; ++i) {
      void* const block = atomically(thread, take);
      atomically(thread, [&](Tx& tx) { tx.free(block, bytes); });
    }
    reused += 2;
    EXPECT_EQ(memory.statistics().reused, reused) << bytes;
  }
}

// A block is not freed while an attempt runs that may know it.
TEST_P(StmBlocks, NotBeforeOthersHaveEnded) {
  for (const Reclamation reclamation : {Reclamation::kQuiesce, Reclamation::kEpoch}) {
    options_.reclamation = reclamation;
    options_.epoch_batch = 1;
    Memory memory(options_);
    Thread thread(memory);
    void* const block = atomically(thread, [&](Tx& tx) { return tx.allocate(kBytes); });
    std::atomic<int> stage{0};
    std::atomic<bool> alive{false};
    std::thread reader([&] {
      Thread other(memory);
      long word = 0;
      atomically(other, [&](Tx& tx) {
        (void)tx.read(word);
        stage = 1;
        while (stage.load() == 1) std::this_thread::yield();
        for (int i = 0; i < 200; ++i) std::this_thread::yield();
        alive = live(block);
      });
      stage = 3;
    });
    while (stage.load() != 1) std::this_thread::yield();
    stage = 2;
    atomically(thread, [&](Tx& tx) { tx.free(block, kBytes); });
    reader.join();
    EXPECT_TRUE(alive.load());
    if (reclamation == Reclamation::kEpoch) {
      void* const next = atomically(thread, [&](Tx& tx) { return tx.allocate(kBytes); });
      atomically(thread, [&](Tx& tx) { tx.free(next, kBytes); });
    }
    EXPECT_TRUE(g_live.empty());
  }
}

// The options' default reclamation applies. An attempt that has seen a block still finds what was
// in it, though another has freed it. A request that comes after has the next block.
TEST_P(StmBlocks, AnAttemptNeverSeesTheNextOwner) {
  struct Node {
    long words[kBytes / sizeof(long)];
  };
  options_.reclamation = Options().reclamation;
  Memory memory(options_);
  Thread reader(memory), freer(memory);
  auto* head = static_cast<Node*>(make(sizeof(Node)));
  *head = {{1, 1, 1, 1, 1}};
  Node* const node = head;
  bool is_freed = false;
  const long found = atomically(reader, [&](Tx& tx) {
    Node* const seen = tx.read(head);
    if (seen == nullptr) return 0L;
    if (!is_freed) {
      is_freed = true;
      atomically(freer, [&](Tx& other) {
        Node* const mine = other.read(head);
        other.write(head, nullptr);
        other.free(mine, sizeof(Node));
      });
      EXPECT_TRUE(live(node));
    }
    return tx.read(seen->words[4]);
  });
  EXPECT_TRUE(found == 0 || found == 1) << found;
}

// Freeing locks the first word, or all of them: whoever has read such a word cannot commit.
TEST_P(StmBlocks, FreeingLocks) {
  if (options_.design == Design::kNorec || options_.log2_orecs < 10)
    return;  // nothing to lock, or all is
  options_.shift = 3;
  for (const bool all : {false, true}) {
    options_.free_locks_all_words = all;
    Memory memory(options_);
    Thread thread(memory), other(memory);
    auto* const block =
        static_cast<long*>(atomically(thread, [&](Tx& tx) { return tx.allocate(kBytes); }));
    for (size_t word = 0; word < kBytes / 8; ++word) block[word] = 0;
    for (size_t word = 0; word < kBytes / 8; ++word) {
      int attempts = 0;
      long result = 0;
      auto* const doomed =
          static_cast<long*>(atomically(thread, [&](Tx& tx) { return tx.allocate(kBytes); }));
      for (size_t i = 0; i < kBytes / 8; ++i) doomed[i] = 0;
      atomically(thread, [&](Tx& tx) {
        if (++attempts == 1) {
          (void)tx.read(doomed[word]);
          atomically(other, [&](Tx& freeing) { freeing.free(doomed, kBytes); });
        }
        tx.write(result, 1);
      });
      EXPECT_EQ(attempts, word == 0 || all ? 2 : 1) << word;
    }
    atomically(thread, [&](Tx& tx) { tx.free(block, kBytes); });
  }
}

INSTANTIATE_TEST_SUITE_P(Designs, StmBlocks, testing::ValuesIn(settings({2, 12})),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace mmt::stm
