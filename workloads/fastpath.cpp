// fastpath: malloc and free in pairs over sizes from 16 to 520, for counting instructions. The
// script tools/callgrind_pair.py runs it under callgrind. It counts inside measured_pairs() only,
// and takes the difference of two runs. The option --allocator null gives the cost of the loop
// itself.
// Metric: pair (wall nanoseconds).
#include <cstdint>
#include <cstdlib>

#include "common/clock.h"
#include "common/flags.h"
#include "common/report.h"

namespace {

constexpr const char* kProgram = "fastpath";
constexpr uint64_t kSmallest = 16;
constexpr uint64_t kLargest = 520;
constexpr uint64_t kStep = 8;

constexpr uint64_t kSizes = (kLargest - kSmallest) / kStep + 1;
constexpr uint64_t kKeep = 32;

alignas(16) char null_block[kLargest];

// A few blocks of every size stay, as in a program at work. Without them some allocators would give
// up a page, and fetch one, for every pair.
void keep_some(void* (*allocate)(size_t)) {
  for (uint64_t round = 0; round < kKeep; ++round) {
    for (uint64_t size = kSmallest; size <= kLargest; size += kStep) {
      auto* block = static_cast<char*>(allocate(size));
      if (block == nullptr) std::abort();
      *block = 1;
    }
  }
}

}  // namespace

// External names, never inlined: callgrind finds them, and a call costs what a call costs.
extern "C" {

[[gnu::noinline]] void* null_malloc(size_t size) {
  asm volatile("" : : "r"(size));
  return null_block;
}

[[gnu::noinline]] void null_free(void* block) { asm volatile("" : : "r"(block)); }

[[gnu::noinline]] uint64_t measured_pairs(uint64_t pairs, void* (*allocate)(size_t),
                                          void (*release)(void*)) {
  uint64_t size = kSmallest;
  uint64_t sum = 0;
  for (uint64_t i = 0; i < pairs; ++i) {
    void* block = allocate(size);
    if (block == nullptr) std::abort();
    release(block);
    sum += size;
    size = size == kLargest ? kSmallest : size + kStep;
  }
  return sum;
}
}

int main(int argc, char** argv) {
  using namespace mmt::workloads;
  Flags flags(kProgram, argc, argv);
  bool null = flags.text("allocator", "program", {"program", "null"}) == "null";
  uint64_t pairs = flags.number("pairs", 64'000'000);
  flags.finish();

  constexpr uint64_t kSumOfAll = kSizes * (kSmallest + kLargest) / 2;
  pairs = (pairs + kSizes - 1) / kSizes * kSizes;
  auto* allocate = null ? null_malloc : std::malloc;
  auto* release = null ? null_free : std::free;

  keep_some(allocate);
  Stopwatch watch;
  uint64_t sum = measured_pairs(pairs, allocate, release);
  double passed = watch.lap();
  require(sum == pairs / kSizes * kSumOfAll, kProgram, "sum of the sizes");

  Report report(kProgram);
  report.add("pair", 1e9 * passed / static_cast<double>(pairs), "ns");
  return report.finish();
}
