// Freed blocks that a thread keeps until all attempts that may know them have ended, in the order
// of their epochs: epoch-based reclamation (Fraser, 2004). A search for those whose time has come
// looks at every thread, so it is done once for each batch of blocks, however many wait. It is one
// thread's.
#pragma once

#include <cstddef>
#include <cstdint>

#include <mmt/stm/epochs.h>
#include <mmt/stm/log.h>

namespace mmt::stm {

template <class World>
class WaitingBlocks {
 public:
  WaitingBlocks(const Options& options, Epochs<World>& epochs)
      : batch_(options.epoch_batch), epochs_(epochs), blocks_(options.supply), look_at_(batch_) {}

  size_t size() const { return blocks_.size() - first_; }

  // Adds a block of an epoch that is no older than those before. False: there was no memory, and
  // nothing has changed.
  bool add(void* at, size_t bytes, uint64_t epoch) { return blocks_.push({at, bytes, epoch}); }

  // Hands over those whose time has come, if a batch has been added since the last look.
  template <class Release>
  void collect(Release&& release) {
    if (size() < look_at_) return;
    epochs_.advance();
    const uint64_t running = epochs_.oldest_running();
    while (first_ < blocks_.size() && blocks_[first_].epoch < running) hand_over_first(release);
    look_at_ = size() + batch_;
    // No block moves before as many as move have gone.
    if (first_ < size()) return;
    for (size_t i = first_; i < blocks_.size(); ++i) blocks_[i - first_] = blocks_[i];
    blocks_.shrink(size());
    first_ = 0;
  }

  // Waits for the attempts that now run, if blocks wait. The thread is idle.
  template <class Release>
  void end(Release&& release) {
    if (size() != 0) epochs_.wait_until_passed(epochs_.advance());
    while (first_ < blocks_.size()) hand_over_first(release);
    blocks_.clear();
    first_ = 0;
    look_at_ = batch_;
  }

 private:
  struct Block {
    void* at;
    size_t bytes;
    uint64_t epoch;
  };

  template <class Release>
  void hand_over_first(Release& release) {
    release(blocks_[first_].at, blocks_[first_].bytes);
    ++first_;
  }

  const size_t batch_;
  Epochs<World>& epochs_;
  Log<Block> blocks_;
  size_t first_ = 0;  // those before have gone
  size_t look_at_;    // so many that wait
};

}  // namespace mmt::stm
