// The counts tell how much is allocated in each region. `seq` and `par` are plain calls outside and
// inside the parallel phase. `tx` is what is allocated through a transaction. Each thread counts
// for itself, aborted attempts included. Sums are read when no thread runs. Counting allocates
// nothing.
//
// Regions are lexical: a plain call within a running transaction is `par`. What such calls took is
// counted beside them as `within_tx`; with `tx` it is what transactions allocate dynamically.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace mmt::workloads::stm {

enum class Region : uint8_t { kSeq, kPar, kTx };
inline constexpr size_t kRegions = 3;
inline constexpr size_t kBounds[] = {16, 32, 48, 64, 96, 128, 256};
inline constexpr size_t kBins = 8;  // one a bound, and all that is larger

struct RegionCounts {
  uint64_t bins[kBins] = {};
  uint64_t mallocs = 0;
  uint64_t frees = 0;
  uint64_t bytes = 0;

  void add(const RegionCounts& other);
  void note(size_t size);  // one allocation
};

struct alignas(128) Counts {
  RegionCounts regions[kRegions];
  RegionCounts within_tx;  // plain calls while a transaction runs: counted in their region, too
  Region plain = Region::kSeq;  // where plain calls are counted now
  unsigned transactions = 0;    // that run now, one within another
  bool taken = false;
};

// These are the counts of the calling thread. More than 256 threads at once end the program.
Counts& my_counts();

void note_allocation(Counts& counts, Region region, size_t bytes);
inline void note_free(Counts& counts, Region region) {
  ++counts.regions[static_cast<size_t>(region)].frees;
}

// While one lives, the calling thread runs a transaction.
class InTransaction {
 public:
  explicit InTransaction(Counts& counts) : counts_(counts) { ++counts_.transactions; }
  ~InTransaction() { --counts_.transactions; }
  InTransaction(const InTransaction&) = delete;
  InTransaction& operator=(const InTransaction&) = delete;

 private:
  Counts& counts_;
};

// From now on the address and size of each block are multiples of this power of two. Then nothing
// of two blocks lies in one cache line or stripe. With 0, blocks are as the allocator has them. The
// call must come before threads.
void pad_blocks(size_t bytes);
// malloc with padding, uncounted; free() takes it back.
void* padded_allocate(size_t bytes);

// Plain calls, counted where the thread is. Allocation failure is std::bad_alloc; null is freed.
void* plain_allocate(size_t bytes);
void plain_free(void* block);

// The calling thread is in the parallel phase, and counts in a slot of this number.
class ParallelPhase {
 public:
  explicit ParallelPhase(unsigned number);
  ~ParallelPhase();
  ParallelPhase(const ParallelPhase&) = delete;
  ParallelPhase& operator=(const ParallelPhase&) = delete;

 private:
  Counts* before_;
};

// What the calling thread allocates meanwhile is no part of the program: a check of its result.
class Uncounted {
 public:
  Uncounted();
  ~Uncounted();
  Uncounted(const Uncounted&) = delete;
  Uncounted& operator=(const Uncounted&) = delete;

 private:
  Counts* before_;
};

void forget_counts();
RegionCounts sum_of(Region region);
RegionCounts sum_within_tx();
// JSON: the sums by region, and those of each thread that counted.
void print_counts(std::FILE* to);

}  // namespace mmt::workloads::stm
