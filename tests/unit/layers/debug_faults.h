// Heaps whose faults are collected, for the tests of DebugHeap.
#pragma once

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/layers/observe/debug_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/mmap_heap.h>

namespace mmt::layers {

inline std::vector<FaultReport> faults;
struct Collect {
  void operator()(const FaultReport& report) const { faults.push_back(report); }
};

template <class Source, size_t kQuarantineBytes = 4096>
using Checked = Pipe<Source, Debug<Collect, kQuarantineBytes>>;
using CheckedMmap = Checked<MmapHeap>;

class DebugHeapTest : public testing::Test {
 protected:
  DebugHeapTest() { faults.clear(); }
  // The one fault since the last call.
  static FaultReport only_fault() {
    EXPECT_EQ(faults.size(), 1u);
    FaultReport fault = faults.empty() ? FaultReport() : faults.front();
    faults.clear();
    return fault;
  }
};

// Changes the byte at that distance from the block, where the compiler cannot see that it must not.
__attribute__((noinline)) inline void write_at(void* block, ptrdiff_t distance) {
  static_cast<volatile char*>(block)[distance] = 0;
}

}  // namespace mmt::layers
