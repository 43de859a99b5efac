// Keeps the blocks of one thread's transactions. Allocations are undone when the attempt aborts.
// Frees wait for the commit, and then as long as the reclamation asks. What the caching keeps
// serves the thread's own next allocations, a list of at most `most_cached` for each size. Sizes
// are bytes. It is one thread's.
#pragma once

#include <cstddef>
#include <cstdint>

#include <mmt/stm/descriptor.h>
#include <mmt/stm/epochs.h>
#include <mmt/stm/log.h>
#include <mmt/stm/object_cache.h>
#include <mmt/stm/options.h>
#include <mmt/stm/waiting_blocks.h>

namespace mmt::stm {

template <class World>
class Blocks {
 public:
  Blocks(const Options& options, Epochs<World>& epochs, Counts& counts)
      : options_(options),
        epochs_(epochs),
        counts_(counts),
        cache_(options),
        allocated_(options.supply),
        freed_(options.supply),
        waiting_(options, epochs),
        batch_(options.supply) {}

  // The thread is idle. Waits for others' attempts, if blocks wait for them.
  void end() {
    waiting_.end([this](void* block, size_t bytes) { release(block, bytes); });
    hand_over();
  }

  // Null: no memory, and nothing has changed.
  void* allocate(size_t bytes) {
    void* block = cache_.take(bytes);
    const bool reused = block != nullptr;
    if (!reused) block = options_.supply.allocate(bytes);
    if (block == nullptr) return nullptr;
    if (!allocated_.push({block, bytes})) {
      options_.supply.free(block);
      return nullptr;
    }
    counts_.allocations.add();
    if (reused) counts_.reused.add();
    return block;
  }

  // `bytes`: 0 where it is not known. False: no memory, and nothing has changed.
  bool free(void* block, size_t bytes) {
    if (!freed_.push({block, bytes})) return false;
    counts_.frees.add();
    return true;
  }

  // The attempt has aborted: its allocations go back, and its frees are forgotten.
  void undo() {
    const bool cached = options_.caching == Caching::kAbort || options_.caching == Caching::kBoth;
    for (const Block& block : allocated_) {
      counts_.undone.add();
      if (!cached || !cache_.put(block.at, block.bytes)) options_.supply.free(block.at);
    }
    clear();
  }

  // The thread is idle, and its writes are visible. `quiet`: nobody else runs, or those that did
  // when it committed have ended.
  MMT_ALWAYS_INLINE void commit(bool quiet) {
    if (MMT_UNLIKELY(!freed_.empty())) give_back(quiet);
    clear();
  }

 private:
  struct Block {
    void* at;
    size_t bytes;
  };

  void clear() {
    allocated_.clear();
    freed_.clear();
  }

  MMT_NOINLINE void give_back(bool quiet) {
    if (options_.reclamation == Reclamation::kEpoch && !quiet) return wait_for_epoch();
    if (options_.reclamation == Reclamation::kQuiesce && !quiet) {
      epochs_.wait_until_passed(epochs_.advance());
    }
    for (const Block& block : freed_) release(block.at, block.bytes);
    hand_over();
  }

  void wait_for_epoch() {
    const uint64_t epoch = epochs_.now();
    for (const Block& block : freed_) {
      if (waiting_.add(block.at, block.bytes, epoch)) continue;
      epochs_.wait_until_passed(epochs_.advance());
      release(block.at, block.bytes);
    }
    waiting_.collect([this](void* block, size_t bytes) { release(block, bytes); });
    hand_over();
  }

  // The block goes to the cache, or with the next batch.
  void release(void* block, size_t bytes) {
    const bool cached = options_.caching == Caching::kCommit || options_.caching == Caching::kBoth;
    if (cached && cache_.put(block, bytes)) return;
    if (options_.supply.free_batch == nullptr || !batch_.push(block)) options_.supply.free(block);
  }
  void hand_over() {
    if (batch_.empty()) return;
    options_.supply.free_batch(batch_.begin(), batch_.size());
    counts_.batches.add();
    counts_.batched.add(batch_.size());
    batch_.clear();
  }

  const Options& options_;
  Epochs<World>& epochs_;
  Counts& counts_;
  ObjectCache cache_;
  Log<Block> allocated_, freed_;
  WaitingBlocks<World> waiting_;
  Log<void*> batch_;
};

}  // namespace mmt::stm
