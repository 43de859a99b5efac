// ObstackHeap keeps the contents of objects while the topmost object grows, wherever that object
// has to move. An object that is freed takes all younger objects along, and their chunks go back.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/layers/combine/hybrid_heap.h>
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/special/obstack_heap.h>

#include "unit/layers/bottom_heap.h"
#include "unit/layers/random_mix.h"

namespace mmt::layers {
namespace {

using Objects = OverBottom<Obstack<512>>;

std::string text_of(const char* begin, size_t bytes) { return std::string(begin, bytes); }

TEST(ObstackHeap, GrowsByCharactersAndBytes) {
  Bottom bottom;
  Objects heap(bottom);
  EXPECT_TRUE(heap.is_empty());
  for (const char* c = "identifier"; *c != '\0'; ++c) EXPECT_TRUE(heap.grow(*c));
  EXPECT_TRUE(heap.grow(" and more", 9));
  EXPECT_TRUE(heap.grow(nullptr, 0));
  EXPECT_EQ(heap.object_size(), 19u);
  EXPECT_EQ(heap.next_free(), heap.base() + 19);
  heap.shrink(5);
  EXPECT_EQ(text_of(heap.base(), heap.object_size()), "identifier and");
  char* const base = heap.base();
  EXPECT_EQ(heap.finish(), base);
  EXPECT_TRUE(is_aligned(base));
  EXPECT_EQ(heap.object_size(), 0u);
  EXPECT_EQ(heap.base(), base + 16);
  EXPECT_FALSE(heap.is_empty());
  heap.free(base);
  EXPECT_TRUE(heap.is_empty());
}

TEST(ObstackHeap, AnObjectAloneInItsChunkTakesTheChunkAlong) {
  Bottom bottom;
  Objects heap(bottom);
  std::string expected;
  for (int i = 0; i < 20000; ++i) {
    const char c = static_cast<char>('a' + i % 26);
    ASSERT_TRUE(heap.grow(c));
    expected += c;
  }
  EXPECT_EQ(text_of(heap.base(), heap.object_size()), expected);
  EXPECT_EQ(bottom.statistics().blocks, 1u);
  // Room to spare grows with the object, so it moves seldom.
  EXPECT_LT(bottom.statistics().mallocs, 60u);
}

TEST(ObstackHeap, ReserveMakesRoomWhereTheObjectLies) {
  Bottom bottom;
  Objects heap(bottom);
  EXPECT_EQ(heap.room(), 0u);
  EXPECT_TRUE(heap.reserve(3000));
  EXPECT_GE(heap.room(), 3000u);
  char* const base = heap.base();
  EXPECT_TRUE(heap.blank(3000));
  EXPECT_EQ(heap.base(), base);
  EXPECT_EQ(heap.object_size(), 3000u);
  EXPECT_GE(heap.memory_used(), 3000u);
  EXPECT_EQ(heap.finish(), base);
}

TEST(ObstackHeap, MallocFinishesTheGrowingObject) {
  Bottom bottom;
  Objects heap(bottom);
  heap.malloc(10);
  EXPECT_TRUE(heap.grow("abc", 3));
  char* const base = heap.base();
  EXPECT_EQ(heap.malloc(60), base);
  EXPECT_EQ(text_of(base, 3), "abc");
  EXPECT_EQ(heap.base(), base + 64);
}

TEST(ObstackHeap, MallocMovesWhatGrewBefore) {
  Bottom bottom;
  Objects heap(bottom);
  heap.malloc(10);
  EXPECT_TRUE(heap.grow("abc", 3));
  char* const object = static_cast<char*>(heap.malloc(600));
  EXPECT_EQ(text_of(object, 3), "abc");
  EXPECT_GE(heap.next_free(), object + 603);
  EXPECT_EQ(bottom.statistics().blocks, 2u);
}

TEST(ObstackHeap, EmptyObjectsAreApart) {
  Bottom bottom;
  Objects heap(bottom);
  std::vector<char*> marks;
  for (int i = 0; i < 200; ++i) {
    marks.push_back(static_cast<char*>(i % 2 == 0 ? heap.finish() : heap.malloc(0)));
    ASSERT_NE(marks.back(), nullptr);
    ASSERT_TRUE(heap.owns(marks.back()));
    if (i % 3 == 0) heap.malloc(static_cast<size_t>(i));
    for (int k = 0; k < i; ++k) ASSERT_NE(marks[static_cast<size_t>(k)], marks.back());
  }
  while (!marks.empty()) {
    heap.free(marks.back());
    EXPECT_EQ(heap.base(), marks.back());
    marks.pop_back();
  }
  EXPECT_TRUE(heap.is_empty());
  EXPECT_EQ(bottom.statistics().blocks, 1u);
}

TEST(ObstackHeap, FreeEndsAllYoungerObjects) {
  Bottom bottom;
  Objects heap(bottom);
  void* const first = heap.malloc(100);
  void* const second = heap.malloc(100);
  for (int i = 0; i < 100; ++i) heap.malloc(100);
  EXPECT_TRUE(heap.grow('x'));
  EXPECT_GT(bottom.statistics().blocks, 10u);
  heap.free(second);
  EXPECT_EQ(bottom.statistics().blocks, 1u);
  EXPECT_EQ(heap.malloc(50), second);
  heap.free(first);
  EXPECT_EQ(heap.malloc(50), first);
}

TEST(ObstackHeap, ClearAndTheEndReturnAllChunks) {
  Bottom bottom;
  {
    Objects heap(bottom);
    for (int i = 0; i < 100; ++i) heap.malloc(100);
    heap.clear();
    EXPECT_EQ(bottom.statistics().blocks, 0u);
    EXPECT_EQ(heap.memory_used(), 0u);
    EXPECT_TRUE(heap.is_empty());
    heap.clear();
    for (int i = 0; i < 100; ++i) heap.malloc(100);
    EXPECT_TRUE(heap.grow('x'));
  }
  EXPECT_EQ(bottom.statistics().blocks, 0u);
}

TEST(ObstackHeap, ARefusalChangesNothing) {
  Bottom bottom;
  Objects heap(bottom);
  refuse_all(bottom);
  EXPECT_EQ(heap.malloc(0), nullptr);
  EXPECT_EQ(heap.finish(), nullptr);
  EXPECT_FALSE(heap.grow('x'));
  serve_all(bottom);
  void* const first = heap.malloc(100);
  EXPECT_TRUE(heap.grow("abc", 3));
  char* const base = heap.base();
  refuse_all(bottom);
  const std::string more(1000, 'm');
  EXPECT_FALSE(heap.grow(more.data(), more.size()));
  EXPECT_FALSE(heap.blank(1000));
  EXPECT_FALSE(heap.reserve(1000));
  EXPECT_EQ(heap.malloc(1000), nullptr);
  EXPECT_EQ(heap.base(), base);
  EXPECT_EQ(text_of(base, heap.object_size()), "abc");
  while (heap.room() != 0) ASSERT_TRUE(heap.grow('y'));
  EXPECT_FALSE(heap.grow('z'));
  EXPECT_EQ(heap.finish(), base);
  // There is no place where an empty object could lie.
  EXPECT_EQ(heap.finish(), nullptr);
  heap.free(base);
  EXPECT_EQ(heap.malloc(3), base);
  heap.free(first);
}

TEST(ObstackHeap, SizesDoNotWrapAround) {
  Bottom bottom;
  Objects heap(bottom);
  for (int round = 0; round < 2; ++round) {
    for (const size_t bytes : {SIZE_MAX, SIZE_MAX - 15, SIZE_MAX - 120, SIZE_MAX / 2}) {
      EXPECT_EQ(heap.malloc(bytes), nullptr);
      EXPECT_FALSE(heap.blank(bytes));
      EXPECT_FALSE(heap.grow("", bytes));
    }
    EXPECT_TRUE(heap.grow('x'));
  }
}

TEST(ObstackHeapDeathTest, AStrangerIsNotFreed) {
  Bottom bottom;
  Objects heap(bottom);
  heap.malloc(10);
  int stranger = 0;
  EXPECT_DEATH(heap.free(&stranger), "ObstackHeap: the freed object is in none of its chunks");
}

class Stack {
 public:
  explicit Stack(uint64_t seed) : heap_(bottom_), random_(seed) {}

  void step() {
    switch (random_.below(8)) {
      case 0:
        return grow_by_characters(random_.below(30));
      case 1:
        return grow_by_bytes(random_.below(random_.below(1500) + 1));
      case 2:
        return blank();
      case 3:
        return shrink();
      case 4:
        return finish(heap_.finish());
      case 5:
      case 6:
        return malloc();
      default:
        return free();
    }
  }
  void check() {
    ASSERT_EQ(text_of(heap_.base(), heap_.object_size()), top_);
    for (const Object& object : objects_) {
      ASSERT_EQ(text_of(object.data, object.text.size()), object.text);
    }
  }
  size_t blocks() { return bottom_.statistics().blocks; }
  void free_all() {
    while (!objects_.empty()) {
      heap_.free(objects_.back().data);
      objects_.pop_back();
    }
  }

 private:
  struct Object {
    char* data;
    std::string text;
  };

  char next() { return static_cast<char>(++last_); }
  void grow_by_characters(size_t count) {
    for (size_t i = 0; i < count; ++i) {
      top_ += next();
      ASSERT_TRUE(heap_.grow(top_.back()));
    }
  }
  void grow_by_bytes(size_t count) {
    const std::string more(count, next());
    ASSERT_TRUE(heap_.grow(more.data(), more.size()));
    top_ += more;
  }
  void blank() {
    const std::string more(random_.below(100), next());
    ASSERT_TRUE(heap_.blank(more.size()));
    for (size_t i = 0; i < more.size(); ++i)
      heap_.next_free()[-static_cast<ptrdiff_t>(i) - 1] = more[0];
    top_ += more;
  }
  void shrink() {
    const size_t bytes = random_.below(top_.size() + 1);
    heap_.shrink(bytes);
    top_.erase(top_.size() - bytes);
  }
  void finish(void* block) {
    ASSERT_NE(block, nullptr);
    ASSERT_TRUE(is_aligned(block));
    objects_.push_back({static_cast<char*>(block), top_});
    top_.clear();
  }
  void malloc() {
    const size_t bytes = random_.below(random_.below(900) + 1);
    auto* const block = static_cast<char*>(heap_.malloc(bytes));
    ASSERT_NE(block, nullptr);
    const std::string more(bytes, next());
    for (size_t i = 0; i < bytes; ++i) block[top_.size() + i] = more[0];
    top_ += more;
    finish(block);
  }
  void free() {
    if (objects_.empty()) return;
    const size_t depth = random_.below(random_.below(objects_.size()) + 1);
    for (size_t i = 0; i < depth; ++i) objects_.pop_back();
    heap_.free(objects_.back().data);
    objects_.pop_back();
    top_.clear();
  }

  Bottom bottom_;
  Objects heap_;
  Random random_;
  std::vector<Object> objects_;
  std::string top_;
  unsigned last_ = 0;
};

TEST(ObstackHeap, AgreesWithAModel) {
  for (const uint64_t seed : {1u, 2u, 3u}) {
    Stack stack(seed);
    for (int i = 0; i < 3000 && !testing::Test::HasFatalFailure(); ++i) {
      stack.step();
      if (i % 16 == 0) stack.check();
    }
    stack.free_all();
    EXPECT_LE(stack.blocks(), 2u);
  }
}

// The paper's composition: chunks that are given back are kept for the next.
TEST(ObstackHeap, KeepsChunksOverAHybrid) {
  Bottom bottom;
  {
    OverBottom<Hybrid<512, Freelist>, Obstack<512>> heap(bottom);
    void* const first = heap.malloc(8);
    size_t after_first = 0;
    for (int round = 0; round < 10; ++round) {
      void* const mark = heap.malloc(8);
      for (int i = 0; i < 100; ++i) heap.malloc(60);
      heap.malloc(5000);
      heap.free(mark);
      if (round == 0) after_first = bottom.statistics().mallocs;
    }
    // Only the chunk for the large object is taken anew.
    EXPECT_EQ(bottom.statistics().mallocs, after_first + 9);
    heap.free(first);
  }
  EXPECT_EQ(bottom.statistics().blocks, 0u);
}

template <class H, class Amount>
concept GrowsBy = requires(H& heap, Amount amount) {
  heap.grow(amount);
};
static_assert(GrowsBy<Objects, char>);
// Whether a number is a byte or a length is not left to conversions.
static_assert(!GrowsBy<Objects, int> && !GrowsBy<Objects, size_t>);
static_assert(!SizedHeap<Objects> && !AligningHeap<Objects> && ClearableHeap<Objects>);

}  // namespace
}  // namespace mmt::layers
