// PerClassHeap: which objects come from the heap of the class; a tree whose nodes do.
#include <memory>
#include <new>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include <mmt/layers/adapt/per_class_heap.h>
#include <mmt/layers/fit/chunk_heap.h>
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/general/kingsley_heap.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/observe/fail_heap.h>
#include <mmt/layers/observe/statistics_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/malloc_heap.h>
#include <mmt/layers/source/mmap_heap.h>

#include "unit/layers/random_mix.h"

namespace mmt::layers {
namespace {

// A pool for blocks of one size, and how many of them are in use.
using Pool = Pipe<MmapHeap, Chunk<65536>, Freelist, Statistics>;
// Any size, and how many bytes are in use.
using General = Pipe<KingsleyHeap<MmapHeap>, Statistics>;

size_t in_use(const HeapStatistics& counts) { return counts.blocks; }

struct Shape {
  Shape() = default;
  explicit Shape(int sides) : sides(sides) {}
  virtual ~Shape() = default;
  virtual int area() const { return sides; }
  int sides = 0;
};
using PooledShape = PerClassHeap<Shape, Pool>;
struct Square : PooledShape {
  using PooledShape::PooledShape;
  int area() const override { return sides * sides; }
};
struct NamedSquare : Square {
  using Square::Square;
  std::string name = "a name longer than any that would lie in the object itself";
};

TEST(PerClassHeap, ServesTheClassFromItsHeap) {
  const HeapStatistics& counts = PooledShape::heap().statistics();
  auto* shape = new PooledShape(4);
  EXPECT_EQ(shape->sides, 4);
  EXPECT_EQ(in_use(counts), 1u);
  void* const place = shape;
  delete shape;
  EXPECT_EQ(in_use(counts), 0u);
  auto* again = new PooledShape;
  EXPECT_EQ(again, place);
  EXPECT_EQ(in_use(counts), 1u);
  delete again;
  delete static_cast<PooledShape*>(nullptr);
  EXPECT_EQ(in_use(counts), 0u);
}

TEST(PerClassHeap, ServesDerivedClassesOfThatSize) {
  const HeapStatistics& counts = PooledShape::heap().statistics();
  Shape* shape = new Square(3);
  EXPECT_EQ(in_use(counts), 1u);
  EXPECT_EQ(shape->area(), 9);
  delete shape;  // through a base that knows no heap
  EXPECT_EQ(in_use(counts), 0u);
}

TEST(PerClassHeap, LeavesLargerDerivedClassesToTheProgram) {
  const HeapStatistics& counts = PooledShape::heap().statistics();
  static_assert(sizeof(NamedSquare) > sizeof(PooledShape));
  const size_t before = counts.mallocs;
  auto* named = new NamedSquare(2);
  Shape* shape = named;
  named->name += '!';
  auto* plain = new PooledShape;
  EXPECT_EQ(in_use(counts), 1u);
  delete shape;
  EXPECT_EQ(in_use(counts), 1u);
  delete plain;
  EXPECT_EQ(counts.mallocs, before + 1);
}

TEST(PerClassHeap, LeavesArraysOfOneSizeHeapsToTheProgram) {
  const size_t before = PooledShape::heap().statistics().mallocs;
  auto* shapes = new Square[10];
  for (int i = 0; i < 10; ++i) shapes[i].sides = i;
  delete[] shapes;
  auto* one = new Square[1];
  delete[] one;
  EXPECT_EQ(PooledShape::heap().statistics().mallocs, before);
}

struct Plain {
  long words[3];
};
using GeneralPlain = PerClassHeap<Plain, General>;
struct Extended : GeneralPlain {
  char more[1000];
};

TEST(PerClassHeap, ServesAllSizesAndArraysFromGeneralHeaps) {
  const HeapStatistics& counts = GeneralPlain::heap().statistics();
  auto* plain = new GeneralPlain;
  auto* extended = new Extended;
  EXPECT_EQ(in_use(counts), 2u);
  EXPECT_GE(counts.bytes, sizeof(GeneralPlain) + sizeof(Extended));
  auto* array = new Extended[7];
  EXPECT_EQ(in_use(counts), 3u);
  EXPECT_GE(counts.bytes, 8 * sizeof(Extended));
  delete[] array;
  delete extended;
  delete plain;
  EXPECT_EQ(in_use(counts), 0u);
  EXPECT_EQ(counts.bytes, 0u);
}

struct alignas(128) Wide {
  char bytes[128];
};
template <class H>
void check_alignment() {
  using Class = PerClassHeap<Wide, H>;
  for (int i = 0; i < 3; ++i) {
    std::unique_ptr<Class> single(new Class);
    std::unique_ptr<Class[]> array(new Class[3]);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(single.get()) % 128, 0u);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(array.get()) % 128, 0u);
  }
  EXPECT_EQ(in_use(Class::heap().statistics()), 0u);
}

TEST(PerClassHeap, AlignsObjects) {
  check_alignment<Pool>();
  check_alignment<General>();
  using Class = PerClassHeap<Wide, General>;
  EXPECT_EQ(Class::heap().statistics().mallocs, 6u);
}

TEST(PerClassHeap, KeepsTheHeapsOfClassesApart) {
  struct Other : Plain {};
  auto* other = new PerClassHeap<Other, General>;
  EXPECT_EQ(in_use(GeneralPlain::heap().statistics()), 0u);
  EXPECT_EQ(in_use(PerClassHeap<Other, General>::heap().statistics()), 1u);
  delete other;
}

struct Throws {
  Throws() { throw 1; }
};
TEST(PerClassHeap, TakesBackWhatAConstructorThrowsOutOf) {
  using Class = PerClassHeap<Throws, Pool>;
  EXPECT_THROW(new Class, int);
  EXPECT_EQ(Class::heap().statistics().mallocs, 1u);
  EXPECT_EQ(in_use(Class::heap().statistics()), 0u);
}

using Scarce = PerClassHeap<Plain, Pipe<MallocHeap, Fail<FailWhenTold>>>;
int handled = 0;
TEST(PerClassHeap, RunsTheNewHandlerAndThrows) {
  Scarce::heap().fail_policy().left = 0;
  EXPECT_THROW(new Scarce, std::bad_alloc);
  EXPECT_THROW(new Scarce[5], std::bad_alloc);
  const auto help_at_last = [] {
    if (++handled == 3) Scarce::heap().fail_policy().left = SIZE_MAX;
  };
  std::set_new_handler(help_at_last);
  delete new Scarce;
  std::set_new_handler(nullptr);
  EXPECT_EQ(handled, 3);
}

TEST(PerClassHeap, CanBeBuiltInPlace) {
  alignas(GeneralPlain) char storage[sizeof(GeneralPlain)];
  const size_t before = GeneralPlain::heap().statistics().mallocs;
  auto* built = new (storage) GeneralPlain;
  EXPECT_EQ(static_cast<void*>(built), storage);
  EXPECT_EQ(GeneralPlain::heap().statistics().mallocs, before);
}

// A treap of words: a real container whose nodes come from a pool without that it knows.
struct TreapNode {
  TreapNode(int key, size_t priority) : key(key), priority(priority) {}
  int key;
  size_t priority;
  struct PooledNode* left = nullptr;
  struct PooledNode* right = nullptr;
};
struct PooledNode : PerClassHeap<TreapNode, Pool> {
  using PerClassHeap::PerClassHeap;
};

class Treap {
 public:
  ~Treap() { erase_all(root_); }

  bool insert(int key) {
    if (contains(key)) return false;
    PooledNode* lower = nullptr;
    PooledNode* upper = nullptr;
    split(root_, key, &lower, &upper);
    root_ = merge(merge(lower, new PooledNode(key, random_.below(1 << 30))), upper);
    return true;
  }
  bool erase(int key) {
    PooledNode** at = &root_;
    while (*at != nullptr && (*at)->key != key)
      at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    PooledNode* node = *at;
    if (node == nullptr) return false;
    *at = merge(node->left, node->right);
    delete node;
    return true;
  }
  bool contains(int key) const {
    const PooledNode* node = root_;
    while (node != nullptr && node->key != key) node = key < node->key ? node->left : node->right;
    return node != nullptr;
  }

 private:
  // Keys below `key` to *lower, the others to *upper.
  static void split(PooledNode* node, int key, PooledNode** lower, PooledNode** upper) {
    while (node != nullptr) {
      if (node->key < key) {
        *lower = node;
        lower = &node->right;
        node = node->right;
      } else {
        *upper = node;
        upper = &node->left;
        node = node->left;
      }
    }
    *lower = *upper = nullptr;
  }
  static PooledNode* merge(PooledNode* lower, PooledNode* upper) {
    if (lower == nullptr) return upper;
    if (upper == nullptr) return lower;
    if (lower->priority > upper->priority) {
      lower->right = merge(lower->right, upper);
      return lower;
    }
    upper->left = merge(lower, upper->left);
    return upper;
  }
  static void erase_all(PooledNode* node) {
    if (node == nullptr) return;
    erase_all(node->left);
    erase_all(node->right);
    delete node;
  }

  PooledNode* root_ = nullptr;
  Random random_{4};
};

TEST(PerClassHeap, ServesATree) {
  const HeapStatistics& counts = PooledNode::heap().statistics();
  {
    Treap treap;
    std::set<int> model;
    Random random(8);
    for (int i = 0; i < 50000; ++i) {
      const int key = static_cast<int>(random.below(2000));
      if (random.below(2) == 0) {
        ASSERT_EQ(treap.insert(key), model.insert(key).second);
      } else {
        ASSERT_EQ(treap.erase(key), model.erase(key) == 1);
      }
      ASSERT_EQ(treap.contains(key), model.contains(key));
      ASSERT_EQ(in_use(counts), model.size());
    }
  }
  EXPECT_EQ(in_use(counts), 0u);
  EXPECT_GT(counts.mallocs, 10000u);
  EXPECT_LE(counts.peak_blocks, 2000u);
}

}  // namespace
}  // namespace mmt::layers
