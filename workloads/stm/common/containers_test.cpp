// The containers of the applications (workloads/stm/common) do what those of the standard library
// do. They do so without transactions, and in transactions of several threads with rolled back
// attempts.
#include <algorithm>
#include <cstdint>
#include <map>
#include <queue>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/stm/atomically.h>
#include <mmt/stm/plain_tx.h>

#include "stm/common/avl_map.h"
#include "stm/common/avl_tree.h"
#include "stm/common/heap.h"
#include "stm/common/list.h"
#include "stm/common/vector.h"

namespace mmt::workloads::stm {
namespace {

using mmt::stm::PlainTx;

void* data_of(uintptr_t number) { return reinterpret_cast<void*>(number); }
uintptr_t number_of(const void* data) { return reinterpret_cast<uintptr_t>(data); }

std::vector<uintptr_t> numbers_in(const AvlTree* tree) {
  std::vector<uintptr_t> numbers;
  avl_visit(tree->root, [&](const void* data) { numbers.push_back(number_of(data)); });
  return numbers;
}

TEST(AvlTree, IsASortedSetThatStaysFlat) {
  PlainTx tx;
  AvlTree* const tree = avl_create(tx, compare_addresses);
  std::set<uintptr_t> expected;
  std::minstd_rand random(1);
  for (int i = 0; i < 20000; ++i) {
    // A phase of growth, then one in which removals win.
    const uintptr_t number = random() % 1000 + 1;
    const bool insert = random() % 100 < (i / 5000 % 2 == 0 ? 70U : 30U);
    if (insert) {
      ASSERT_EQ(avl_insert(tx, tree, data_of(number)), expected.insert(number).second);
    } else {
      const bool there = expected.erase(number) != 0;
      ASSERT_EQ(avl_remove(tx, tree, data_of(number)), there ? data_of(number) : nullptr);
    }
    ASSERT_EQ(tree->size, expected.size());
    ASSERT_GE(avl_checked_height(tree->root), 0) << "after step " << i;
    const uintptr_t asked = random() % 1000 + 1;
    ASSERT_EQ(avl_find(tx, tree, data_of(asked)) != nullptr, expected.count(asked) != 0);
  }
  EXPECT_EQ(numbers_in(tree), std::vector<uintptr_t>(expected.begin(), expected.end()));
  avl_destroy(tx, tree);
}

TEST(AvlTree, InOrderInsertsStayLogarithmic) {
  PlainTx tx;
  AvlTree* const tree = avl_create(tx, compare_addresses);
  for (uintptr_t number = 1; number < 4096; ++number) avl_insert(tx, tree, data_of(number));
  EXPECT_EQ(avl_checked_height(tree->root), 12);
  for (uintptr_t number = 1; number < 4096; ++number) {
    ASSERT_EQ(avl_remove(tx, tree, data_of(number)), data_of(number));
    ASSERT_GE(avl_checked_height(tree->root), 0);
  }
  EXPECT_EQ(tree->root, nullptr);
  avl_destroy(tx, tree);
}

long compare_keys(const void* left, const void* right) {
  return compare_addresses(static_cast<const Pair*>(left)->key,
                           static_cast<const Pair*>(right)->key);
}

TEST(AvlMap, KeepsTheFirstValueOfAKey) {
  PlainTx tx;
  AvlTree* const map = avl_create(tx, compare_keys);
  std::map<uintptr_t, uintptr_t> expected;
  std::minstd_rand random(2);
  for (uintptr_t i = 1; i < 5000; ++i) {
    const uintptr_t key = random() % 300;
    if (random() % 2 == 0) {
      ASSERT_EQ(map_insert(tx, map, data_of(key), data_of(i)), expected.emplace(key, i).second);
    } else {
      ASSERT_EQ(map_remove(tx, map, data_of(key)), expected.erase(key) != 0);
    }
    const uintptr_t asked = random() % 300;
    const Pair* const pair = map_find(tx, map, data_of(asked));
    const auto there = expected.find(asked);
    ASSERT_EQ(pair != nullptr, there != expected.end());
    if (pair != nullptr) {
      ASSERT_EQ(number_of(pair->value), there->second);
    }
  }
  map_destroy(tx, map);
}

TEST(Heap, GivesTheGreatestFirst) {
  PlainTx tx;
  Heap* const heap = heap_create(tx, 1, compare_addresses);
  std::priority_queue<uintptr_t> expected;
  std::minstd_rand random(3);
  EXPECT_EQ(heap_pop(tx, heap), nullptr);
  for (int i = 0; i < 20000; ++i) {
    if (random() % 100 < (i / 5000 % 2 == 0 ? 70U : 30U)) {
      const uintptr_t number = random() % 500 + 1;
      heap_insert(tx, heap, data_of(number));
      expected.push(number);
    } else if (expected.empty()) {
      ASSERT_EQ(heap_pop(tx, heap), nullptr);
    } else {
      ASSERT_EQ(number_of(heap_pop(tx, heap)), expected.top());
      expected.pop();
    }
    ASSERT_EQ(heap->size, expected.size());
  }
  heap_destroy(tx, heap);
}

TEST(Vector, GrowsAndGivesBackFromTheEnd) {
  PlainTx tx;
  Vector* const vector = vector_create(tx, 1);
  EXPECT_EQ(vector_pop(tx, vector), nullptr);
  for (uintptr_t i = 1; i <= 100; ++i) vector_push(tx, vector, data_of(i));
  EXPECT_EQ(vector->capacity, 128U);
  for (uintptr_t i = 0; i < 100; ++i) ASSERT_EQ(vector_at(tx, vector, i), data_of(i + 1));
  for (uintptr_t i = 100; i > 50; --i) ASSERT_EQ(vector_pop(tx, vector), data_of(i));
  EXPECT_EQ(vector->size, 50U);
  vector_clear(tx, vector);
  EXPECT_EQ(vector_pop(tx, vector), nullptr);
  vector_destroy(tx, vector);
}

// Every second attempt throws at its end: it must leave nothing behind.
struct Undone {};

TEST(Containers, HoldTogetherUnderThreadsAndUndoneTransactions) {
  constexpr unsigned kThreads = 4;
  constexpr uintptr_t kEach = 400;
  mmt::stm::Options options;
  options.log2_orecs = 8;
  options.reclamation = mmt::stm::Reclamation::kQuiesce;
  mmt::stm::Memory memory(options);
  PlainTx plain;
  AvlTree* const tree = avl_create(plain, compare_addresses);
  Heap* const heap = heap_create(plain, 1, compare_addresses);
  Vector* const vector = vector_create(plain, 1);
  std::vector<std::vector<uintptr_t>> popped(kThreads);
  const auto work = [&](unsigned self) {
    mmt::stm::Thread thread(memory);
    for (uintptr_t i = 0; i < kEach; ++i) {
      void* const data = data_of(i * kThreads + self + 1);
      for (const bool undone : {true, false}) {
        try {
          mmt::stm::atomically(thread, [&](mmt::stm::Tx& tx) {
            avl_insert(tx, tree, data);
            heap_insert(tx, heap, data);
            vector_push(tx, vector, data);
            if (undone) throw Undone();
          });
        } catch (const Undone&) {
        }
      }
      if (i % 2 == 0) continue;
      // What the heap gives leaves the tree.
      popped[self].push_back(mmt::stm::atomically(thread, [&](mmt::stm::Tx& tx) {
        void* const greatest = heap_pop(tx, heap);
        return number_of(avl_remove(tx, tree, greatest));
      }));
    }
  };
  std::vector<std::thread> threads;
  for (unsigned self = 0; self < kThreads; ++self) threads.emplace_back(work, self);
  for (std::thread& one : threads) one.join();

  EXPECT_GE(avl_checked_height(tree->root), 0);
  std::vector<uintptr_t> left;
  while (void* const data = heap_pop(plain, heap)) left.push_back(number_of(data));
  EXPECT_TRUE(std::is_sorted(left.rbegin(), left.rend()));
  EXPECT_EQ(numbers_in(tree), std::vector<uintptr_t>(left.rbegin(), left.rend()));
  std::vector<uintptr_t> all = left;
  for (const std::vector<uintptr_t>& some : popped) all.insert(all.end(), some.begin(), some.end());
  std::sort(all.begin(), all.end());
  std::vector<uintptr_t> pushed;
  while (void* const data = vector_pop(plain, vector)) pushed.push_back(number_of(data));
  std::sort(pushed.begin(), pushed.end());
  EXPECT_EQ(pushed, all);
  ASSERT_EQ(all.size(), kThreads * kEach);
  for (size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], i + 1);
  avl_destroy(plain, tree);
  heap_destroy(plain, heap);
  vector_destroy(plain, vector);
}

}  // namespace
}  // namespace mmt::workloads::stm
