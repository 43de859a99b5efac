// DebugHeap finds each kind of fault and says of which block and where; see debug_layer_test.cpp
// for how it lives with other layers.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/layers/fit/chunk_heap.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/observe/debug_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/buffer_heap.h>
#include <mmt/layers/source/malloc_heap.h>
#include <mmt/layers/source/mmap_heap.h>

#include "unit/layers/debug_faults.h"
#include "unit/layers/place_names.h"

namespace mmt::layers {

PLANTED(void* debug_allocates(CheckedMmap& heap, size_t bytes)) {
  void* block = heap.malloc(bytes);
  KEEP_FRAME();
  return block;
}
PLANTED(void debug_frees(CheckedMmap& heap, void* block)) {
  heap.free(block);
  KEEP_FRAME();
}
PLANTED(void debug_frees_wrongly(CheckedMmap& heap, void* block)) {
  heap.free(block);
  KEEP_FRAME();
}

namespace {

TEST_F(DebugHeapTest, FindsDoubleFree) {
  CheckedMmap heap;
  void* block = debug_allocates(heap, 48);
  debug_frees(heap, block);
  debug_frees_wrongly(heap, block);
  const FaultReport fault = only_fault();
  EXPECT_EQ(fault.kind, FaultKind::kDoubleFree);
  EXPECT_EQ(fault.block, block);
  EXPECT_EQ(fault.at, block);
  EXPECT_EQ(fault.size, 48u);
  EXPECT_TRUE(is_in(fault.allocated, "debug_allocates"));
  EXPECT_TRUE(is_in(fault.freed, "debug_frees"));
  EXPECT_TRUE(is_in(fault.noticed, "debug_frees_wrongly"));
}

TEST_F(DebugHeapTest, FindsDoubleFreeAfterTheQuarantine) {
  Checked<MallocHeap, 0> heap;
  void* const block = heap.malloc(1);
  heap.free(block);
  heap.free(block);
  EXPECT_EQ(only_fault().kind, FaultKind::kDoubleFree);
}

TEST_F(DebugHeapTest, FindsInvalidFree) {
  CheckedMmap heap;
  void* block = debug_allocates(heap, 48);
  char foreign[16];
  debug_frees_wrongly(heap, foreign);
  const FaultReport fault = only_fault();
  EXPECT_EQ(fault.kind, FaultKind::kInvalidFree);
  EXPECT_EQ(fault.at, foreign);
  EXPECT_EQ(fault.block, nullptr);
  EXPECT_TRUE(is_in(fault.noticed, "debug_frees_wrongly"));
  EXPECT_FALSE(fault.allocated.is_known());
  heap.free(block);
}

TEST_F(DebugHeapTest, FindsFreeWithinABlock) {
  CheckedMmap heap;
  void* before = heap.malloc(200);
  void* block = debug_allocates(heap, 100);
  void* const within = static_cast<char*>(block) + 99;
  debug_frees_wrongly(heap, within);
  const FaultReport fault = only_fault();
  EXPECT_EQ(fault.kind, FaultKind::kInteriorFree);
  EXPECT_EQ(fault.at, within);
  EXPECT_EQ(fault.block, block);
  EXPECT_EQ(fault.size, 100u);
  EXPECT_TRUE(is_in(fault.allocated, "debug_allocates"));
  EXPECT_TRUE(is_in(fault.noticed, "debug_frees_wrongly"));
  // Behind the last byte is within no block.
  heap.free(static_cast<char*>(block) + 100);
  EXPECT_EQ(only_fault().kind, FaultKind::kInvalidFree);
  heap.free(block);
  heap.free(before);
}

TEST_F(DebugHeapTest, FindsWrongSize) {
  CheckedMmap heap;
  heap.free(heap.malloc(40), 40);
  EXPECT_TRUE(faults.empty());
  void* block = debug_allocates(heap, 40);
  heap.free(block, 48);
  const FaultReport fault = only_fault();
  EXPECT_EQ(fault.kind, FaultKind::kWrongSize);
  EXPECT_EQ(fault.block, block);
  EXPECT_EQ(fault.size, 40u);
  EXPECT_EQ(fault.given, 48u);
  heap.free(block);  // it has been freed
  EXPECT_EQ(only_fault().kind, FaultKind::kDoubleFree);
}

TEST_F(DebugHeapTest, FindsOverrunWhenFreed) {
  CheckedMmap heap;
  for (const size_t size : {size_t{0}, size_t{1}, size_t{13}, size_t{4096}}) {
    for (const ptrdiff_t behind : {0, 1, 15}) {
      void* block = debug_allocates(heap, size);
      const ptrdiff_t at = static_cast<ptrdiff_t>(size) + behind;
      write_at(block, at);
      debug_frees(heap, block);
      const FaultReport fault = only_fault();
      EXPECT_EQ(fault.kind, FaultKind::kOverrun);
      EXPECT_EQ(fault.block, block);
      EXPECT_EQ(fault.size, size);
      EXPECT_EQ(fault.at, static_cast<char*>(block) + at);
      EXPECT_TRUE(is_in(fault.allocated, "debug_allocates"));
      EXPECT_TRUE(is_in(fault.noticed, "debug_frees"));
      EXPECT_FALSE(fault.freed.is_known());
    }
  }
}

TEST_F(DebugHeapTest, FindsUnderrun) {
  CheckedMmap heap;
  for (const ptrdiff_t at : {-1, -16}) {
    void* block = debug_allocates(heap, 24);
    write_at(block, at);
    debug_frees(heap, block);
    const FaultReport fault = only_fault();
    EXPECT_EQ(fault.kind, FaultKind::kUnderrun);
    EXPECT_EQ(fault.block, block);
    EXPECT_EQ(fault.size, 24u);
    EXPECT_EQ(fault.at, static_cast<char*>(block) + at);
    EXPECT_TRUE(is_in(fault.allocated, "debug_allocates"));
  }
}

TEST_F(DebugHeapTest, FindsOverrunsOfBlocksInUseOnce) {
  CheckedMmap heap;
  void* good = heap.malloc(30);
  void* bad = heap.malloc(30);
  EXPECT_EQ(heap.check_all(), 0u);
  write_at(bad, 30);
  EXPECT_EQ(heap.check_all(), 1u);
  const FaultReport fault = only_fault();
  EXPECT_EQ(fault.kind, FaultKind::kOverrun);
  EXPECT_EQ(fault.block, bad);
  EXPECT_EQ(heap.check_all(), 0u);
  heap.free(bad);
  heap.free(good);
  EXPECT_TRUE(faults.empty());
}

TEST_F(DebugHeapTest, FindsUseAfterFreeWhenTheQuarantineEnds) {
  Checked<MmapHeap, 1000> heap;
  void* block = heap.malloc(500);
  heap.free(block);
  write_at(block, 20);
  EXPECT_TRUE(faults.empty());
  heap.free(heap.malloc(600));
  const FaultReport fault = only_fault();
  EXPECT_EQ(fault.kind, FaultKind::kUseAfterFree);
  EXPECT_EQ(fault.block, block);
  EXPECT_EQ(fault.size, 500u);
  EXPECT_EQ(fault.at, static_cast<char*>(block) + 20);
}

TEST_F(DebugHeapTest, FindsUseAfterFreeWhenAsked) {
  CheckedMmap heap;
  void* block = debug_allocates(heap, 10);
  debug_frees(heap, block);
  write_at(block, 9);
  EXPECT_EQ(heap.check_all(), 1u);
  const FaultReport fault = only_fault();
  EXPECT_EQ(fault.kind, FaultKind::kUseAfterFree);
  EXPECT_EQ(fault.at, static_cast<char*>(block) + 9);
  EXPECT_TRUE(is_in(fault.allocated, "debug_allocates"));
  EXPECT_TRUE(is_in(fault.freed, "debug_frees"));
  // Beside it as well.
  write_at(block, 10);
  EXPECT_EQ(heap.check_all(), 1u);
  EXPECT_EQ(only_fault().kind, FaultKind::kUseAfterFree);
}

TEST_F(DebugHeapTest, ChecksAtTheEnd) {
  {
    CheckedMmap heap;
    void* block = heap.malloc(10);
    heap.free(block);
    write_at(block, 3);
  }
  EXPECT_EQ(only_fault().kind, FaultKind::kUseAfterFree);
  {
    CheckedMmap heap;
    write_at(heap.malloc(10), 10);
  }
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_EQ(faults[0].kind, FaultKind::kOverrun);
  EXPECT_FALSE(faults[0].noticed.is_known());
  EXPECT_EQ(faults[1].kind, FaultKind::kLeak);
}

TEST_F(DebugHeapTest, FindsLeaksByPlace) {
  alignas(CheckedMmap) char storage[sizeof(CheckedMmap)];
  auto& heap = *::new (storage) CheckedMmap;
  std::vector<void*> leaked;
  repeat(4, [&] { leaked.push_back(debug_allocates(heap, 48)); });
  debug_frees(heap, leaked.back());
  leaked.pop_back();
  void* other = heap.malloc(100);
  debug_frees(heap, debug_allocates(heap, 1000));
  EXPECT_EQ(heap.report_leaks(), 4u);
  ASSERT_EQ(faults.size(), 2u);
  faults.clear();
  heap.~CheckedMmap();  // tells them again
  ASSERT_EQ(faults.size(), 2u);
  const bool is_other_first = faults[0].blocks == 1;
  const FaultReport& fault = faults[is_other_first ? 1 : 0];
  EXPECT_EQ(fault.kind, FaultKind::kLeak);
  EXPECT_EQ(fault.blocks, 3u);
  EXPECT_EQ(fault.bytes, 144u);
  EXPECT_EQ(fault.size, 48u);
  EXPECT_EQ(std::count(leaked.begin(), leaked.end(), fault.block), 1);
  EXPECT_TRUE(is_in(fault.allocated, "debug_allocates"));
  EXPECT_EQ(faults[is_other_first ? 0 : 1].block, other);
  EXPECT_EQ(faults[is_other_first ? 0 : 1].bytes, 100u);
}

// A heap with the faults that DebugHeap is put on top of heaps to find.
struct FaultyHeap : BufferHeap<4096> {
  static constexpr size_t kAlignment = 16;
  void* malloc(size_t bytes) {
    if (next == nullptr) return BufferHeap::malloc(bytes);
    return next;
  }
  void* next = nullptr;
};

TEST_F(DebugHeapTest, FindsBlocksGivenOutTwice) {
  Checked<FaultyHeap> heap;
  heap.next = heap.BufferHeap::malloc(200);
  void* block = heap.malloc(64);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(heap.malloc(64), nullptr);
  const FaultReport fault = only_fault();
  EXPECT_EQ(fault.kind, FaultKind::kGivenTwice);
  EXPECT_EQ(fault.block, block);
  EXPECT_EQ(fault.size, 64u);
  heap.free(block);
  EXPECT_EQ(heap.malloc(64), nullptr);  // it is still in the quarantine
  EXPECT_EQ(only_fault().kind, FaultKind::kGivenTwice);
}

TEST_F(DebugHeapTest, FindsMisalignedBlocks) {
  Checked<FaultyHeap> heap;
  heap.next = static_cast<char*>(heap.BufferHeap::malloc(200)) + 8;
  void* block = heap.malloc(64);
  EXPECT_EQ(only_fault().kind, FaultKind::kMisaligned);
  heap.free(block);
}

// Recent frees are known, those of long ago need no memory.
TEST_F(DebugHeapTest, RemembersFreesForAWhile) {
  Pipe<MmapHeap, Chunk<1 << 20>, Debug<Collect, 0>> heap;  // gives no address again
  std::vector<void*> freed;
  constexpr size_t kLately = 200;
  for (size_t i = 0; i < 20000; ++i) {
    freed.push_back(heap.malloc(8));
    heap.free(freed.back());
    ASSERT_TRUE(faults.empty());
    if (i < kLately) continue;
    heap.free(freed[i - kLately]);
    ASSERT_EQ(only_fault().kind, FaultKind::kDoubleFree);
  }
  heap.free(freed[0]);
  EXPECT_EQ(only_fault().kind, FaultKind::kInvalidFree);
}

// The layer below frees a block twice when it ends.
template <class Super>
struct FreesTwice : Super {
  ~FreesTwice() {
    void* block = Super::malloc(80);
    Super::free(block);
    Super::free(block);
  }
};

TEST_F(DebugHeapTest, FindsTheFaultsOfALayerAbove) {
  { Pipe<MmapHeap, Debug<Collect>, Stage<FreesTwice>, Size> heap; }
  const FaultReport fault = only_fault();
  EXPECT_EQ(fault.kind, FaultKind::kDoubleFree);
  EXPECT_EQ(fault.size, 80u);
}

TEST_F(DebugHeapTest, WritesItsReports) {
  CheckedMmap heap;
  void* block = debug_allocates(heap, 48);
  debug_frees(heap, block);
  debug_frees_wrongly(heap, block);
  MemoryFile file;
  {
    TextOutput<4096> out(file.descriptor());
    write_fault(out, only_fault());
    FaultReport leak;
    leak.kind = FaultKind::kLeak;
    leak.block = reinterpret_cast<void*>(0x1230);
    leak.size = 5;
    leak.blocks = 3;
    leak.bytes = 15;
    write_fault(out, leak);
    FaultReport wrong_size = leak;
    wrong_size.kind = FaultKind::kWrongSize;
    wrong_size.given = 7;
    write_fault(out, wrong_size);
  }
  const std::string text = file.text();
  char head[100];
  std::snprintf(head, sizeof head, "mmt: double free at %p: block at %p of 48 bytes\n", block,
                block);
  EXPECT_EQ(text.find(head), 0u) << text;
  EXPECT_NE(text.find("\nmmt:   found in debug_frees_wrongly+0x"), std::string::npos) << text;
  EXPECT_NE(text.find("\nmmt:   freed in debug_frees+0x"), std::string::npos) << text;
  EXPECT_NE(text.find("\nmmt:   allocated in debug_allocates+0x"), std::string::npos) << text;
  EXPECT_NE(text.find("\nmmt: leak: 15 bytes in 3 blocks, one at 0x1230 of 5 bytes\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\nmmt: free of size 7: block at 0x1230 of 5 bytes\n"), std::string::npos)
      << text;
}

TEST_F(DebugHeapTest, ReportsToStandardErrorByItself) {
  const auto overrun = [] {
    {
      Pipe<MmapHeap, Debug<>> heap;
      void* block = heap.malloc(5);
      write_at(block, 5);
      heap.free(block);
    }
    std::_Exit(0);
  };
  EXPECT_EXIT(overrun(), testing::ExitedWithCode(0), "^mmt: overrun at 0x.*of 5 bytes");
}

TEST_F(DebugHeapTest, EndsTheProgramIfItsReporterDoes) {
  struct Abort {
    void operator()(const FaultReport& report) const {
      StderrReporter()(report);
      std::abort();
    }
  };
  const auto double_free = [] {
    Pipe<MmapHeap, Debug<Abort>> heap;
    void* block = heap.malloc(5);
    heap.free(block);
    heap.free(block);
  };
  EXPECT_EXIT(double_free(), testing::KilledBySignal(SIGABRT), "double free");
}

}  // namespace
}  // namespace mmt::layers
