// What PHKmalloc finds out: each wrong pointer by its text, and what the options do.
#include <sys/resource.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <string>

#include <gtest/gtest.h>

#include <mmt/layers/adapt/ansi_heap.h>
#include <mmt/layers/general/phk_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/reserved_heap.h>

namespace mmt::layers {
namespace {

using Heap = PhkHeap<ReservedHeap<>>;

PhkOptions letters(const char* text) { return phk_options_of(nullptr, nullptr, text); }

// What it writes to stderr, without the program's name before each line.
std::string said_by(const std::function<void()>& act) {
  testing::internal::CaptureStderr();
  act();
  std::string text = testing::internal::GetCapturedStderr();
  const std::string name = std::string(program_invocation_short_name) + " ";
  for (size_t at = 0; (at = text.find(name, at)) != std::string::npos;) text.erase(at, name.size());
  return text;
}

class PhkChecks : public testing::Test {
 protected:
  char* take(size_t bytes) { return static_cast<char*>(heap_.malloc(bytes)); }
  std::string said_by_free(void* block) {
    return said_by([&] { heap_.free(block); });
  }
  // The text has nothing else than the warning.
  static std::string warning(const std::string& problem, const char* call = "free") {
    return "in " + std::string(call) + "(): warning: " + problem + "\n";
  }

  Heap heap_;
};

TEST_F(PhkChecks, SayNothingOfWhatIsRight) {
  EXPECT_EQ(said_by([&] {
              for (size_t bytes = 0; bytes < 10000; bytes += 500) heap_.free(heap_.malloc(bytes));
            }),
            "");
}

TEST_F(PhkChecks, NoHeapYet) {
  int local;
  EXPECT_EQ(said_by_free(&local), warning("malloc() has never been called"));
}

TEST_F(PhkChecks, JunkPointers) {
  char* const block = take(10);
  EXPECT_EQ(said_by_free(reinterpret_cast<void*>(16)),
            warning("junk pointer, too low to make sense"));
  EXPECT_EQ(said_by_free(nullptr), warning("junk pointer, too low to make sense"));
  EXPECT_EQ(said_by_free(block + (1 << 20)), warning("junk pointer, too high to make sense"));
  EXPECT_EQ(said_by_free(reinterpret_cast<void*>(~uintptr_t{15})),
            warning("junk pointer, too high to make sense"));
}

TEST_F(PhkChecks, ModifiedPointers) {
  char* const pages = take(10000);
  EXPECT_EQ(said_by_free(pages + 16), warning("modified (page-) pointer"));
  EXPECT_EQ(said_by_free(pages + 4096), warning("pointer to wrong page"));
  EXPECT_EQ(said_by_free(pages + 8192), warning("pointer to wrong page"));
  char* const chunk = take(100);
  EXPECT_EQ(said_by_free(chunk + 1), warning("modified (chunk-) pointer"));
  EXPECT_EQ(said_by_free(chunk + 64), warning("modified (chunk-) pointer"));
  EXPECT_EQ(heap_.get_size(chunk), 128u);
  EXPECT_EQ(heap_.get_size(pages), 12288u);
}

TEST_F(PhkChecks, WhatIsFreeAlready) {
  char* const pages = take(10000);
  char* const kept = take(100);
  char* const chunk = take(100);
  heap_.free(pages);
  EXPECT_EQ(said_by_free(pages), warning("page is already free"));
  EXPECT_EQ(said_by_free(pages + 4096), warning("page is already free"));
  heap_.free(chunk);
  EXPECT_EQ(said_by_free(chunk), warning("chunk is already free"));
  EXPECT_EQ(said_by_free(chunk + 128), warning("chunk is already free"));
  // The last chunk takes its page with it.
  heap_.free(kept);
  EXPECT_EQ(said_by_free(kept), warning("page is already free"));
}

TEST_F(PhkChecks, WrongPointersDoNoHarm) {
  char* const block = take(5000);
  char* const chunk = take(50);
  std::memset(block, 1, 5000);
  std::memset(chunk, 2, 50);
  testing::internal::CaptureStderr();
  for (int offset = -9000; offset < 20000; offset += 8) {
    if (offset != 0 && block + offset != chunk) heap_.free(block + offset);
  }
  testing::internal::GetCapturedStderr();
  EXPECT_EQ(heap_.get_size(block), 8192u);
  EXPECT_EQ(heap_.get_size(chunk), 64u);
  for (int i = 0; i < 1000; ++i) {
    char* const other = take(static_cast<size_t>(i) * 20);
    ASSERT_TRUE(other + i * 20 <= block || other >= block + 8192);
    ASSERT_NE(other, chunk);
  }
}

TEST_F(PhkChecks, SizesAndGrowthOfWhatIsNoBlock) {
  char* const block = take(100);
  const std::string modified = warning("modified (chunk-) pointer", "realloc");
  EXPECT_EQ(said_by([&] { EXPECT_EQ(heap_.get_size(block + 1), 0u); }), modified);
  EXPECT_EQ(said_by([&] { EXPECT_FALSE(heap_.expand(block + 1, 10)); }), modified);
  heap_.free(take(5000));
  heap_.free(block);
  EXPECT_EQ(said_by([&] { EXPECT_FALSE(heap_.expand(block, 10)); }),
            warning("page is already free", "realloc"));
}

// Calls back when it is asked for memory, as a signal handler may.
struct CallingSource : ReservedHeap<> {
  static inline std::function<void()> call;
  void* malloc(size_t bytes) {
    if (call) call();
    return ReservedHeap<>::malloc(bytes);
  }
};

TEST_F(PhkChecks, RecursiveCalls) {
  PhkHeap<CallingSource> heap;
  void* const block = heap.malloc(100);
  const auto said = [&](std::function<void()> call) {
    CallingSource::call = std::move(call);
    const std::string text = said_by([&] { EXPECT_NE(heap.malloc(100000), nullptr); });
    CallingSource::call = nullptr;
    return text;
  };
  EXPECT_EQ(said([&] { EXPECT_EQ(heap.malloc(1), nullptr); }), warning("recursive call", "malloc"));
  EXPECT_EQ(said([&] { heap.free(block); }), warning("recursive call"));
  EXPECT_EQ(said([&] { EXPECT_FALSE(heap.expand(block, 1)); }),
            warning("recursive call", "realloc"));
  EXPECT_EQ(said([&] { EXPECT_EQ(heap.allocate(1, 64).data, nullptr); }),
            warning("recursive call", "memalign"));
  EXPECT_EQ(said_by([&] { heap.free(block); }), "") << "it was left as it was";
}

TEST_F(PhkChecks, UnknownOptions) {
  struct Options {
    static PhkOptions read() { return letters("J?"); }
  };
  PhkHeap<ReservedHeap<>, Options> heap;
  EXPECT_EQ(said_by([&] { heap.malloc(1); }), warning("unknown char in MALLOC_OPTIONS", "malloc"));
  EXPECT_EQ(said_by([&] { heap.malloc(1); }), "");
  EXPECT_TRUE(heap.options().junk);
}

using PhkChecksDeathTest = PhkChecks;

TEST_F(PhkChecksDeathTest, AbortOfAWarning) {
  heap_.set_options(letters("A"));
  char* const block = take(100);
  EXPECT_DEATH(heap_.free(block + 1), R"( in free\(\): error: modified \(chunk-\) pointer)");
  EXPECT_DEATH((heap_.free(block), heap_.free(block)), "error: page is already free");
}

TEST_F(PhkChecksDeathTest, AbortWhenMemoryIsOut) {
  heap_.set_options(letters("X"));
  EXPECT_NE(heap_.malloc(100), nullptr);
  EXPECT_DEATH(heap_.malloc(kMaxRequest), R"( in malloc\(\): error: out of memory)");
  EXPECT_DEATH(heap_.allocate(kMaxRequest, 64), R"( in memalign\(\): error: out of memory)");
  heap_.set_options(letters("x"));
  EXPECT_EQ(heap_.malloc(kMaxRequest), nullptr);
}

bool is_filled(const char* bytes, unsigned char value, size_t count) {
  return is_all(bytes, value, count);
}

TEST_F(PhkChecks, Junk) {
  heap_.set_options(letters("J"));
  for (const size_t bytes : std::initializer_list<size_t>{100, 2000, 5000}) {
    char* const other = take(bytes);  // so that the page stays
    char* const block = take(bytes);
    const size_t size = heap_.get_size(block);
    EXPECT_TRUE(is_filled(block, 0xd0, size));
    std::memset(block, 1, size);
    heap_.free(block);
    EXPECT_TRUE(is_filled(block, 0xd0, size)) << bytes;
    heap_.free(other);
  }
  const Block aligned = heap_.allocate(100, 512);
  EXPECT_TRUE(is_filled(static_cast<char*>(aligned.data), 0xd0, aligned.size));
}

TEST_F(PhkChecks, Zero) {
  heap_.set_options(letters("Z"));
  for (int round = 0; round < 2; ++round) {
    char* const block = take(70);
    EXPECT_TRUE(is_filled(block, 0, 70));
    EXPECT_TRUE(is_filled(block + 70, 0xd0, 128 - 70));
    std::memset(block, 1, 70);
    heap_.free(block);
  }
}

TEST_F(PhkChecks, FillsEverySizeAndNoMore) {
  for (size_t bytes = 0; bytes <= 200; ++bytes) {
    std::string text(256, 'x');
    fill_bytes(text.data() + 20, 'y', bytes);
    EXPECT_EQ(text, std::string(20, 'x') + std::string(bytes, 'y') + std::string(236 - bytes, 'x'));
  }
  heap_.set_options(letters("JZ"));
  for (size_t bytes = 0; bytes <= 2048; ++bytes) {
    char* const other = take(bytes);  // so that the page stays
    char* const block = take(bytes);
    const size_t size = heap_.get_size(block);
    EXPECT_TRUE(is_all(block, 0, bytes)) << bytes;
    EXPECT_TRUE(is_all(block + bytes, kPhkJunk, size - bytes)) << bytes;
    heap_.free(block);
    EXPECT_TRUE(is_all(block, kPhkJunk, size)) << bytes;
    heap_.free(other);
  }
}

TEST_F(PhkChecks, BlocksThatAlwaysMove) {
  char* const block = take(5000);
  EXPECT_TRUE(heap_.expand(block, 6000));
  EXPECT_TRUE(heap_.expand(block, 9000));
  heap_.set_options(letters("R"));
  EXPECT_FALSE(heap_.expand(block, 9500));
  EXPECT_EQ(heap_.get_size(block), 12288u);
}

TEST_F(PhkChecks, SystemV) {
  heap_.set_options(letters("V"));
  EXPECT_EQ(heap_.malloc(0), nullptr);
  EXPECT_NE(heap_.malloc(1), nullptr);
  heap_.set_options(letters("VX"));
  EXPECT_EQ(heap_.malloc(0), nullptr) << "this is not for want of memory";
  heap_.set_options(letters("v"));
  EXPECT_NE(heap_.malloc(0), nullptr);
}

TEST_F(PhkChecks, Trace) {
  heap_.set_options(letters("U"));
  void* block = nullptr;
  const auto address = [](const void* at) {
    char text[32];
    std::snprintf(text, sizeof text, "%p", at);
    return std::string(text);
  };
  const std::string taken = said_by([&] { block = heap_.malloc(100); });
  EXPECT_EQ(taken, "malloc(100) = " + address(block) + "\n");
  EXPECT_EQ(said_by([&] { EXPECT_TRUE(heap_.expand(block, 120)); }),
            "realloc(" + address(block) + ", 120) = " + address(block) + "\n");
  EXPECT_EQ(said_by_free(block), "free(" + address(block) + ")\n");
  const std::string aligned = said_by([&] { block = heap_.allocate(20, 64).data; });
  EXPECT_EQ(aligned, "memalign(64, 20) = " + address(block) + "\n");
  EXPECT_EQ(said_by([&] { heap_.malloc(SIZE_MAX / 2); }),
            "malloc(" + std::to_string(SIZE_MAX / 2) + ") = 0x0\n");
  heap_.set_options(letters(""));
  EXPECT_EQ(said_by_free(block), "");
}

TEST_F(PhkChecks, HintsThatPagesAreFree) {
  const auto lazily_free = [] {
    std::ifstream rollup("/proc/self/smaps_rollup");
    std::string line;
    while (std::getline(rollup, line)) {
      if (line.rfind("LazyFree:", 0) == 0) return std::stol(line.substr(9));
    }
    return 0L;
  };
  heap_.set_options(letters("H>>>>"));
  constexpr size_t kBytes = size_t{800} << 10;
  char* const block = take(kBytes);
  std::memset(block, 1, kBytes);
  const long before = lazily_free();
  heap_.free(block);
  EXPECT_GE(lazily_free(), before + 700);
}

TEST_F(PhkChecks, Canaries) {
  heap_.set_options(letters("C"));
  const std::string overrun = warning("canary behind the block was overwritten");
  for (const size_t bytes : std::initializer_list<size_t>{0, 1, 24, 100, 2040, 5000, 8184, 8192}) {
    char* block = take(bytes);
    EXPECT_EQ(heap_.get_size(block), bytes);
    std::memset(block, 1, bytes);
    EXPECT_EQ(said_by_free(block), "");
    // Each byte by which one may be wrong, and the word behind.
    for (const size_t beyond : std::initializer_list<size_t>{0, 1, 7}) {
      block = take(bytes);
      block[bytes + beyond] = static_cast<char>(block[bytes + beyond] + 1);
      EXPECT_EQ(said_by_free(block), overrun) << bytes << " + " << beyond;
    }
  }
  char* const grown = take(100);
  EXPECT_TRUE(heap_.expand(grown, 115));
  EXPECT_EQ(heap_.get_size(grown), 115u);
  std::memset(grown, 1, 115);
  EXPECT_FALSE(heap_.expand(grown, 121)) << "the canary's word";
  grown[115] = 1;
  EXPECT_EQ(said_by([&] { EXPECT_TRUE(heap_.expand(grown, 117)); }),
            warning("canary behind the block was overwritten", "realloc"));
  EXPECT_EQ(said_by_free(grown), "");
  EXPECT_EQ(said_by_free(grown), warning("page is already free"));
}

TEST_F(PhkChecks, CanariesStayAsTheyAre) {
  char* const block = take(100);
  heap_.set_options(letters("C"));
  std::memset(block, 1, 128);
  EXPECT_EQ(said_by_free(block), "");
  EXPECT_FALSE(heap_.options().canaries);
}

TEST_F(PhkChecks, DelayedFrees) {
  heap_.set_options(letters("F"));
  char* const block = take(100);
  heap_.free(block);
  EXPECT_EQ(said_by_free(block), warning("chunk is already free"));
  EXPECT_NE(take(100), block) << "it waits";
  EXPECT_TRUE(is_filled(block, 0xd0, 128));
  block[77] = 1;
  // Others push it out.
  std::string said;
  for (int i = 0; i < 1000 && said.empty(); ++i) {
    said = said_by([&] { heap_.free(heap_.malloc(200)); });
  }
  EXPECT_EQ(said, warning("chunk was written to after it was freed"));
}

TEST_F(PhkChecks, DelayedFreesServeWhenMemoryIsOut) {
  PhkHeap<ReservedHeap<65536>> heap;
  heap.set_options(letters("F<<<<"));
  std::vector<void*> all;
  while (void* block = heap.malloc(2048)) all.push_back(block);
  EXPECT_EQ(all.size(), 32u);
  for (int i = 0; i < 4; ++i) heap.free(all[static_cast<size_t>(i)]);
  for (int i = 0; i < 4; ++i) EXPECT_NE(heap.malloc(2048), nullptr);
}

TEST_F(PhkChecksDeathTest, FreePagesAreOutOfReach) {
  heap_.set_options(letters("F"));
  char* const block = take(10000);
  heap_.malloc(10000);
  block[0] = 1;
  heap_.free(block);
  EXPECT_DEATH(block[0] = 2, "");
  char* const again = take(5000);
  EXPECT_EQ(again, block);
  again[8191] = 3;
  EXPECT_DEATH(again[8192] = 2, "");
}

TEST_F(PhkChecksDeathTest, GuardPages) {
  heap_.set_options(letters("G"));
  char* const block = take(8192);
  char* const other = take(8192);
  EXPECT_EQ(other, block + 12288);
  EXPECT_EQ(heap_.get_size(block), 8192u);
  std::memset(block, 1, 8192);
  EXPECT_DEATH(block[8192] = 1, "");
  EXPECT_FALSE(heap_.expand(block, 8193));
  heap_.free(block);
  heap_.set_options(letters("g"));
  char* const wide = take(12288);
  EXPECT_EQ(wide, block);
  std::memset(wide, 1, 12288);
}

TEST_F(PhkChecks, ChunksAtRandom) {
  heap_.set_options(letters("P"));
  char* blocks[64];
  size_t descents = 0;
  for (int i = 0; i < 64; ++i) {
    blocks[i] = take(64);
    if (i != 0 && blocks[i] < blocks[i - 1]) ++descents;
  }
  EXPECT_GT(descents, 0u);
  for (char* block : blocks) EXPECT_EQ(said_by_free(block), "");
}

// The C functions over it, as a program sees them.
TEST(PhkAnsi, MovesAndWarns) {
  Pipe<ReservedHeap<>, Phk<>, Ansi> heap;
  auto* const block = static_cast<char*>(heap.malloc(100));
  std::memset(block, 3, 100);
  auto* const moved = static_cast<char*>(heap.realloc(block, 10000));
  EXPECT_TRUE(is_filled(moved, 3, 100));
  EXPECT_EQ(heap.realloc(moved, 12000), moved);
  heap.free(moved);
  heap.free(nullptr);
}

}  // namespace
}  // namespace mmt::layers
