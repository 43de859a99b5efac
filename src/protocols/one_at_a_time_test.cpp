// A library that one thread at a time may call: what comes while another one is in it.
#include "protocols/one_at_a_time.h"

#include <malloc.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>

#include "backend/clients.h"
#include "protocols/main_alloc.h"
#include "support/checked_library.h"

namespace mmt::protocols {

using backend::Clients;
using backend::copy_unsized;
using backend::find_library;
using backend::Library;
using backend::library;
using test::CheckedLibrary;

namespace {

using Threads = Clients<MainAlloc<MinimalPrimitives>::Client>;
using Turns = OneAtATime<Threads>;

// While one lives, another thread is in the library.
class Visitor {
 public:
  Visitor() : thread_([] { library.trim(0); }) {
    while (!is_in_.load()) std::this_thread::yield();
  }
  ~Visitor() {
    is_to_leave_.store(true);
    thread_.join();
    is_to_leave_.store(false);
    is_in_.store(false);
  }
  Visitor(const Visitor&) = delete;
  Visitor& operator=(const Visitor&) = delete;

  static int stay(size_t) {
    is_in_.store(true);
    while (!is_to_leave_.load()) std::this_thread::yield();
    return 0;
  }

 private:
  static inline std::atomic<bool> is_in_{false};
  static inline std::atomic<bool> is_to_leave_{false};
  std::thread thread_;
};

class OneAtATimeTest : public testing::Test {
 protected:
  void SetUp() override {
    find_library();
    before_ = library;
    CheckedLibrary::install();
    library.trim = Visitor::stay;
    library.calloc = ::calloc;
    library.realloc = ::realloc;
    library.memalign = ::memalign;
    Turns::install();
    blocks_ = Turns::blocks_beside();
    frees_ = Turns::frees_put_off();
  }
  void TearDown() override { library = before_; }
  // Since the test began.
  uint64_t blocks_beside() const { return Turns::blocks_beside() - blocks_; }
  uint64_t frees_put_off() const { return Turns::frees_put_off() - frees_; }

 private:
  Library before_{};
  uint64_t blocks_ = 0;
  uint64_t frees_ = 0;
};

TEST_F(OneAtATimeTest, AFreeLibraryServes) {
  void* const block = library.malloc(100);
  EXPECT_FALSE(Threads::is_reserved(block));
  EXPECT_EQ(CheckedLibrary::live_blocks(), 1U);
  library.free(block);
  EXPECT_EQ(CheckedLibrary::live_blocks(), 0U);
  EXPECT_EQ(blocks_beside(), 0U);
  EXPECT_EQ(frees_put_off(), 0U);
}

TEST_F(OneAtATimeTest, WhoFindsItTakenGetsBlocksOfTheReserve) {
  const Visitor visitor;
  auto* const block = static_cast<char*>(library.malloc(100));
  ASSERT_NE(block, nullptr);
  EXPECT_TRUE(Threads::is_reserved(block));
  std::memset(block, 1, 100);
  Threads::free_reserved(block);

  auto* const zeroed = static_cast<char*>(library.calloc(10, 10));  // the same memory again
  EXPECT_TRUE(Threads::is_reserved(zeroed));
  for (int i = 0; i < 100; ++i) ASSERT_EQ(zeroed[i], 0);
  Threads::free_reserved(zeroed);

  void* const aligned = library.memalign(4096, 100);
  EXPECT_TRUE(Threads::is_reserved(aligned));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(aligned) % 4096, 0U);
  Threads::free_reserved(aligned);
  EXPECT_EQ(blocks_beside(), 3U);
}

TEST_F(OneAtATimeTest, WhatIsFreedMeanwhileIsFreedLater) {
  void* const block = library.malloc(100);
  {
    const Visitor visitor;
    library.free(block);
    EXPECT_EQ(CheckedLibrary::live_blocks(), 1U);
  }
  EXPECT_EQ(frees_put_off(), 1U);
  { const Threads::Inside inside; }
  EXPECT_EQ(CheckedLibrary::live_blocks(), 0U);
}

TEST_F(OneAtATimeTest, ABlockThatGrowsMeanwhileMovesWithWhatItHolds) {
  char from = 'x';
  char to = 0;
  if (!copy_unsized(&to, &from, 1)) GTEST_SKIP() << "process_vm_readv is refused";
  auto* const block = static_cast<char*>(library.malloc(100));
  for (int i = 0; i < 100; ++i) block[i] = static_cast<char>(i);
  {
    const Visitor visitor;
    auto* const moved = static_cast<char*>(library.realloc(block, 300));
    ASSERT_NE(moved, nullptr);
    EXPECT_TRUE(Threads::is_reserved(moved));
    for (int i = 0; i < 100; ++i) ASSERT_EQ(moved[i], i);
    Threads::free_reserved(moved);
  }
  { const Threads::Inside inside; }
  EXPECT_EQ(CheckedLibrary::live_blocks(), 0U);
}

TEST_F(OneAtATimeTest, WhereTheReserveHasNoneItsTurnIsWaitedFor) {
  auto visitor = std::make_unique<Visitor>();
  void* block = nullptr;
  std::thread asks([&] { block = library.malloc(size_t{100} << 20); });
  visitor.reset();
  asks.join();
  ASSERT_NE(block, nullptr);
  EXPECT_FALSE(Threads::is_reserved(block));
  EXPECT_EQ(blocks_beside(), 0U);
  library.free(block);
}

}  // namespace
}  // namespace mmt::protocols
