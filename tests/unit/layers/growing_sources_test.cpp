// Sources that grow at their end; where the program break can move, and where it cannot.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include <gtest/gtest.h>

#include <mmt/layers/general/kingsley_heap.h>
#include <mmt/layers/general/lea_heap.h>
#include <mmt/layers/general/phk_heap.h>
#include <mmt/layers/source/reserved_heap.h>
#include <mmt/layers/source/system_heap.h>

namespace mmt::layers {
namespace {

constexpr size_t kPage = 4096;

template <class H>
char* take(H& heap, size_t bytes) {
  return static_cast<char*>(heap.malloc(bytes));
}

// A page that nobody may use, right above the program break.
class Wall {
 public:
  Wall() {
    auto* const now = static_cast<char*>(::sbrk(0));
    char* const begin = now + ((0 - reinterpret_cast<uintptr_t>(now)) & (kPage - 1));
    page_ =
        ::mmap(begin, kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  }
  ~Wall() {
    if (stands()) ::munmap(page_, kPage);
  }
  bool stands() const { return page_ != MAP_FAILED; }

 private:
  void* page_;
};

TEST(StretchHeap, BlocksFollowOneAnotherAndMayBeGivenBack) {
  StretchHeap<> heap;
  auto* const first = static_cast<char*>(heap.malloc(100));
  ASSERT_NE(first, nullptr);
  char* const second = static_cast<char*>(heap.malloc(1 << 20));
  EXPECT_EQ(second, first + 112);
  std::memset(second, 1, 1 << 20);
  EXPECT_TRUE(heap.owns(second + (1 << 20) - 1));
  EXPECT_TRUE(heap.shrink(1 << 20));
  EXPECT_FALSE(heap.owns(second));
  EXPECT_EQ(heap.malloc(1 << 20), second);
  EXPECT_TRUE(heap.shrink((1 << 20) + 112));
  EXPECT_FALSE(heap.shrink(16));
  EXPECT_EQ(heap.malloc(16), first);
}

TEST(StretchHeap, PassesWhatIsInTheWayUpwards) {
  StretchHeap<> heap;
  auto* last = static_cast<char*>(heap.malloc(60000));
  for (int i = 0; i < 10; ++i) {
    const auto end = reinterpret_cast<uintptr_t>(last) & ~uintptr_t{0xffff};
    auto* const above = reinterpret_cast<char*>(end) + 0x10000;
    void* const wall =
        ::mmap(above, kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    auto* const next = static_cast<char*>(heap.malloc(60000));
    ASSERT_NE(next, nullptr);
    EXPECT_GT(next, last);
    std::memset(next, 1, 60000);
    EXPECT_TRUE(heap.owns(last));
    EXPECT_FALSE(heap.owns(above));
    ::munmap(wall, kPage);
    last = next;
  }
}

template <class H>
void expect_blocks_behind_a_wall() {
  H heap;
  void* const early = heap.malloc(100);
  ASSERT_NE(early, nullptr);
  const Wall wall;
  ASSERT_TRUE(wall.stands());
  void* blocks[2000];
  for (size_t i = 0; i < 2000; ++i) {
    blocks[i] = heap.malloc(1 + i);
    ASSERT_NE(blocks[i], nullptr) << i;
    EXPECT_TRUE(heap.owns(blocks[i]));
    std::memset(blocks[i], static_cast<int>(i), 1 + i);
  }
  for (size_t i = 0; i < 2000; ++i) {
    EXPECT_EQ(static_cast<unsigned char*>(blocks[i])[i], static_cast<unsigned char>(i));
    heap.free(blocks[i]);
  }
  heap.free(early);
}

TEST(ReservedHeap, GivesMemoryBackAtItsEnd) {
  ReservedHeap<size_t{1} << 24> heap;
  char* const first = take(heap, 100);
  char* const large = take(heap, size_t{1} << 20);
  EXPECT_EQ(large, first + 112);
  std::memset(large, 1, size_t{1} << 20);
  EXPECT_TRUE(heap.owns(large));
  EXPECT_TRUE(heap.shrink(size_t{1} << 20));
  EXPECT_FALSE(heap.owns(large));
  EXPECT_FALSE(heap.shrink(113));
  EXPECT_EQ(take(heap, size_t{1} << 20), large);
  EXPECT_EQ(large[size_t{1} << 19], 0) << "the system had it meanwhile";
  EXPECT_EQ(heap.malloc(size_t{1} << 24), nullptr);
  heap.clear();
  EXPECT_FALSE(heap.owns(first));
  EXPECT_NE(heap.malloc(1), nullptr);
}

// As a mapping of its own: what is reserved is no way round.
TEST(ReservedHeap, GetsWhatTheSystemGrantsAMapping) {
  for (size_t size = size_t{1} << 34; size <= size_t{1} << 40; size *= 2) {
    void* const mapped =
        ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const bool is_granted = mapped != MAP_FAILED;
    if (is_granted) ::munmap(mapped, size);
    ReservedHeap<size_t{1} << 41> heap;
    ASSERT_EQ(heap.malloc(size) != nullptr, is_granted) << size;
  }
}

TEST(ReservedHeap, MakesDoWithLess) {
  // More address space than there is.
  ReservedHeap<size_t{1} << 50> heap;
  EXPECT_NE(heap.malloc(100), nullptr);
  EXPECT_EQ(heap.malloc(size_t{1} << 49), nullptr);
}

TEST(SystemHeap, ServesAllAllocatorsWhereTheBreakIsBlocked) {
  expect_blocks_behind_a_wall<KingsleyHeap<>>();
  expect_blocks_behind_a_wall<LeaHeap<>>();
  expect_blocks_behind_a_wall<PhkHeap<>>();
}

}  // namespace
}  // namespace mmt::layers
