// The header has doubles and a model for coalescing heaps. The doubles are sources that count and
// refuse. The model is a random program that compares a heap with a shadow of it, boundary tags and
// bins included.
#pragma once

#include <sys/mman.h>

#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/core/checked.h>
#include <mmt/layers/fit/coalesce_check.h>
#include <mmt/layers/heap.h>

#include "unit/layers/random_mix.h"

namespace mmt::layers {

// Fake: pieces from malloc, counted over all its objects; every kRefuse-th request is refused.
struct PieceSource {
  static constexpr size_t kAlignment = kBlockAlignment;
  static constexpr size_t kSkew = 0;
  static inline size_t pieces = 0;
  static inline size_t requests = 0;
  static inline size_t refuse_each = 0;  // 0: none

  void* malloc(size_t bytes) {
    ++requests;
    if (refuse_each != 0 && requests % refuse_each == 0) return nullptr;
    ++pieces;
    return std::malloc(bytes);
  }
  void free(void* block) {
    --pieces;
    std::free(block);
  }
};

// Fake: the program break, with strangers that move it when they are told to.
class BreakSource {
 public:
  static constexpr size_t kAlignment = kBlockAlignment;
  static constexpr size_t kSkew = 0;
  static constexpr bool kContiguous = true;
  static constexpr size_t kRegion = size_t{1} << 30;
  static inline size_t stranger_each = 0;  // requests; 0: never

  BreakSource() {
    void* region = ::mmap(nullptr, kRegion, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    begin_ = break_ = static_cast<char*>(region);
  }
  BreakSource(const BreakSource&) = delete;
  ~BreakSource() { ::munmap(begin_, kRegion); }

  void* malloc(size_t bytes) {
    ++requests_;
    if (stranger_each != 0 && requests_ % stranger_each == 0) move_as_stranger(48);
    const size_t needed = core::align_up(bytes, kAlignment);
    if (needed > limit_ - size()) return nullptr;
    break_ += needed;
    end_ = break_;
    return break_ - needed;
  }
  void free(void*) {}
  bool shrink(size_t bytes) {
    if (break_ != end_ || bytes > size()) return false;
    break_ -= bytes;
    end_ = break_;
    return true;
  }

  void move_as_stranger(size_t bytes) { break_ += bytes; }
  void set_limit(size_t bytes) { limit_ = bytes; }
  size_t size() const { return static_cast<size_t>(break_ - begin_); }

 private:
  char* begin_;
  char* break_;
  char* end_ = nullptr;
  size_t limit_ = kRegion;
  size_t requests_ = 0;
};

// Real blocks of a heap, and what is known of them.
template <class H>
class CoalescingModel {
 public:
  CoalescingModel(H& heap, uint64_t seed) : heap_(heap), random_(seed) {}

  void run(size_t operations) {
    for (size_t i = 0; i < operations && !::testing::Test::HasFatalFailure(); ++i) {
      step();
      if (i % 50 == 0) check();
    }
  }
  // Leaves nothing in use.
  void finish() {
    while (!live_.empty()) free_at(random_.below(live_.size()));
    check();
  }

  void check() {
    if constexpr (requires { heap_.release(); }) heap_.release();
    const CoalesceCensus census = take_census(heap_);
    ASSERT_EQ(census.fault, nullptr);
    size_t blocks = 0;
    size_t bytes = 0;
    for (const MixedBlock& block : live_) {
      if (is_large(block.data)) continue;
      ++blocks;
      bytes += heap_.get_size(block.data);
    }
    ASSERT_EQ(census.used_blocks, blocks);
    ASSERT_EQ(census.used_bytes, bytes);
  }

 private:
  static bool is_large(const void* block) { return BoundaryTags::is_stranger(block); }

  size_t any_size() {
    const size_t kind = random_.below(100);
    if (kind < 45) return random_.below(130);
    if (kind < 80) return random_.below(1100);
    if (kind < 98) return random_.below(20000);
    return random_.below(400000);
  }
  void step() {
    const size_t kind = random_.below(1000);
    // Grows for a while, then shrinks.
    const size_t frees = ++steps_ % 4000 < 2000 ? 350 : 550;
    if (kind < 10) return allocate_aligned();
    if (live_.empty() || kind >= frees + 50) return allocate();
    const size_t i = random_.below(live_.size());
    if (kind < 50) return expand_at(i);
    if (kind == 999) static_cast<void>(heap_.trim());
    free_at(i);
  }

  void allocate() {
    const size_t size = any_size();
    add(heap_.malloc(size), size);
  }
  void allocate_aligned() {
    const size_t size = any_size();
    const size_t alignment = size_t{1} << random_.below(16);
    const Block block = heap_.allocate(size, alignment);
    if (block.data == nullptr) return;
    ASSERT_EQ(reinterpret_cast<uintptr_t>(block.data) % alignment, 0u);
    ASSERT_EQ(block.size, heap_.get_size(block.data));
    add(block.data, size);
  }
  void add(void* data, size_t size) {
    if (data == nullptr) return;
    ASSERT_EQ(reinterpret_cast<uintptr_t>(data) % kBlockAlignment, 0u);
    ASSERT_GE(heap_.get_size(data), size);
    ASSERT_TRUE(heap_.owns(data));
    // All that may be used is.
    live_.push_back({static_cast<unsigned char*>(data), heap_.get_size(data),
                     static_cast<unsigned char>(steps_)});
    live_.back().fill();
  }
  void expand_at(size_t i) {
    MixedBlock& block = live_[i];
    const size_t wanted = block.size + random_.below(3000);
    const bool is_done = heap_.expand(block.data, wanted);
    const size_t size = heap_.get_size(block.data);
    ASSERT_TRUE(block.is_intact(block.size));
    ASSERT_TRUE(is_done ? size >= wanted : size == block.size);
    block.size = size;
    block.fill();
  }
  void free_at(size_t i) {
    ASSERT_EQ(heap_.get_size(live_[i].data), live_[i].size);
    ASSERT_TRUE(live_[i].is_intact(live_[i].size));
    heap_.free(live_[i].data);
    live_[i] = live_.back();
    live_.pop_back();
  }

  H& heap_;
  Random random_;
  std::vector<MixedBlock> live_;
  size_t steps_ = 0;
};

}  // namespace mmt::layers
