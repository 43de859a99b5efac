// Structures in transactions do what those of the standard library do. This holds step by step with
// one thread, and at the end with several, each on keys of its own. The total of a bank holds, too.
#include <random>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/stm/atomically.h>
#include <mmt/stm/plain_tx.h>

#include "unit/stm/designs.h"
#include "unit/stm/structures/hash_set.h"
#include "unit/stm/structures/red_black_tree.h"
#include "unit/stm/structures/sorted_list.h"

namespace mmt::stm {
namespace {

class Structures : public testing::TestWithParam<Setting> {
 protected:
  static Options options() {
    Options options = GetParam().options;
    options.reclamation = Reclamation::kEpoch;
    options.epoch_batch = 16;
    options.caching = Caching::kBoth;
    return options;
  }
};

// Keys that are `self` modulo the number of threads, with a set to compare with.
template <class Structure>
void work(Structure& structure, Memory& memory, int self, int threads, int steps,
          std::set<long>* expected) {
  Thread thread(memory);
  std::minstd_rand random(static_cast<unsigned>(self) + 1);
  for (int i = 0; i < steps; ++i) {
    const long key = static_cast<long>(random() / 16 % 64) * threads + self;
    switch (random() / 16 % 4) {
      case 0:
      case 1:
        ASSERT_EQ(atomically(thread, [&](Tx& tx) { return structure.insert(tx, key); }),
                  expected->insert(key).second);
        break;
      case 2:
        ASSERT_EQ(atomically(thread, [&](Tx& tx) { return structure.erase(tx, key); }),
                  expected->erase(key) != 0);
        break;
      default:
        ASSERT_EQ(atomically_read_only(thread, [&](Tx& tx) { return structure.contains(tx, key); }),
                  expected->contains(key));
    }
  }
}

template <class Structure>
void compare(const Options& options) {
  for (const int threads : {1, 2, 4}) {
    Memory memory(options);
    Structure structure;
    std::vector<std::set<long>> expected(static_cast<size_t>(threads));
    std::vector<std::thread> running;
    for (int i = 0; i < threads; ++i) {
      running.emplace_back([&, i] {
        work(structure, memory, i, threads, 3000 / threads, &expected[static_cast<size_t>(i)]);
      });
    }
    for (std::thread& thread : running) thread.join();
    std::set<long> all;
    for (const auto& part : expected) all.insert(part.begin(), part.end());
    PlainTx plain;
    EXPECT_EQ(structure.keys(plain), std::vector<long>(all.begin(), all.end())) << threads;
    EXPECT_STREQ(structure.problem(), "");
    const Statistics seen = memory.statistics();
    EXPECT_EQ(seen.attempts, seen.commits + seen.aborted());
    for (const long key : all) structure.erase(plain, key);
  }
}

TEST_P(Structures, SortedList) { compare<SortedList>(options()); }
TEST_P(Structures, HashSet) { compare<HashSet>(options()); }
TEST_P(Structures, RedBlackTree) { compare<RedBlackTree>(options()); }

TEST_P(Structures, TheBanksTotalHolds) {
  for (const int threads : {1, 2, 4}) {
    Memory memory(options());
    std::vector<int> accounts(50);
    std::vector<std::thread> running;
    for (int i = 0; i < threads; ++i) {
      running.emplace_back([&, i] {
        Thread thread(memory);
        std::minstd_rand random(static_cast<unsigned>(i) + 1);
        for (int k = 0; k < 3000 / threads; ++k) {
          int& from = accounts[random() / 16 % accounts.size()];
          int& to = accounts[random() / 16 % accounts.size()];
          atomically(thread, [&](Tx& tx) {
            tx.write(from, tx.read(from) - 3);
            tx.write(to, tx.read(to) + 3);
          });
          if (k % 10 != 0) continue;
          const int total = atomically_read_only(thread, [&](Tx& tx) {
            int sum = 0;
            for (const int& account : accounts) sum += tx.read(account);
            return sum;
          });
          ASSERT_EQ(total, 0);
        }
      });
    }
    for (std::thread& thread : running) thread.join();
    int total = 0;
    for (const int account : accounts) total += account;
    EXPECT_EQ(total, 0);
  }
}

// As in a pipeline: a node is taken out by a transaction, and used without one.
TEST_P(Structures, PrivatizedNodesAreOnesOwn) {
  Options chosen = options();
  chosen.safe_privatization = true;
  Memory memory(chosen);
  struct Box {
    long shared = 1;
    long value = 0;
  } box;
  std::thread other([&] {
    Thread thread(memory);
    for (int i = 0; i < 300; ++i) {
      atomically(thread, [&](Tx& tx) {
        if (tx.read(box.shared) != 0) tx.write(box.value, tx.read(box.value) + 1);
      });
    }
  });
  Thread thread(memory);
  for (int i = 0; i < 100; ++i) {
    atomically(thread, [&](Tx& tx) { tx.write(box.shared, 0); });
    const long before = box.value;
    box.value = before + 1000;
    std::this_thread::yield();
    ASSERT_EQ(box.value, before + 1000);
    atomically(thread, [&](Tx& tx) { tx.write(box.shared, 1); });
  }
  other.join();
}

INSTANTIATE_TEST_SUITE_P(Designs, Structures, testing::ValuesIn(settings({0, 4, 16})),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace mmt::stm
