#pragma once
// MmapThreshold tells from what size on a block is given a mapping of its own, by glibc's rule. The
// size is 128 KiB at first. Once such a block has been freed, it is that block's size, up to 32
// MiB. Blocks that come and go had better stay in the heap, where they are not faulted in anew each
// time. A free is seen by glibc. We see only that nothing is mapped there any more, or another
// block. So a few of the blocks are watched, the last ones as well as old ones.
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace mmt::beside {

// is_for() and moves() anyone may ask any time; all else is for one at a time.
class MmapThreshold {
 public:
  static constexpr size_t kLeast = size_t{128} << 10;
  static constexpr size_t kMost = size_t{32} << 20;  // larger ones the library maps by itself
  // Each of these is a mapping to the kernel, which allows 65530 to a process.
  static constexpr uint32_t kMostBlocks = 16384;
  static constexpr size_t kWatched = 16;

  // A new block of so many bytes is to be mapped.
  bool is_for(size_t bytes) const {
    return bytes >= threshold_.load(std::memory_order_relaxed) && bytes < kMost &&
           count_.load(std::memory_order_relaxed) < kMostBlocks;
  }
  // A block in the heap that grows to a size which is_for() is to become one that is mapped. A
  // large one had better stay if it can grow where it is, which the one before it tells best.
  bool moves(size_t bytes_before) const {
    return bytes_before < threshold_.load(std::memory_order_relaxed) ||
           has_moved_.load(std::memory_order_relaxed);
  }
  // So the library has made such a block grow.
  void note_growth(bool has_moved) { has_moved_.store(has_moved, std::memory_order_relaxed); }

  // The block was mapped, with so many bytes of address space.
  void add(uintptr_t block, size_t bytes) {
    const uint32_t count = count_.load(std::memory_order_relaxed) + 1;
    count_.store(count, std::memory_order_relaxed);
    for (Block& other : blocks_) {
      if (other.bytes != 0 && other.at < block + bytes && block < other.at + other.bytes) {
        note_freed(other);
      }
    }
    blocks_[place_of(count)] = {block, bytes};
  }
  // The block is about to grow, and may move: its place among those that are watched, for put();
  // kWatched: it has none.
  size_t take(uintptr_t block) {
    for (size_t i = 0; i < kWatched; ++i) {
      if (blocks_[i].bytes == 0 || blocks_[i].at != block) continue;
      blocks_[i].bytes = 0;
      return i;
    }
    return kWatched;
  }
  void put(size_t place, uintptr_t block, size_t bytes) {
    if (place < kWatched) blocks_[place] = {block, bytes};
  }
  // Whether anything is mapped where a block was: is_there(address), of the last ones, and by turns
  // of the others.
  template <class IsThere>
  void look(IsThere&& is_there) {
    const auto look_at = [&](size_t place) {
      Block& block = blocks_[place % kWatched];
      if (block.bytes != 0 && !is_there(block.at)) note_freed(block);
    };
    look_at(place_of(count_.load(std::memory_order_relaxed)));
    for (size_t i = 0; i < kByTurns; ++i) look_at(turn_++);
  }

 private:
  static constexpr size_t kByTurns = 3;

  // The place of the block with that number. Each place keeps its block for twice as long as the
  // one before.
  static size_t place_of(uint32_t count) {
    return static_cast<size_t>(std::countr_zero(count)) % kWatched;
  }

  struct Block {
    uintptr_t at = 0;
    size_t bytes = 0;  // 0: none
  };

  void note_freed(Block& block) {
    const bool is_larger = block.bytes > threshold_.load(std::memory_order_relaxed);
    if (is_larger && block.bytes <= kMost) {
      threshold_.store(block.bytes, std::memory_order_relaxed);
    }
    block.bytes = 0;
  }

  // Relaxed: numbers that nothing else is found by.
  std::atomic<size_t> threshold_{kLeast};
  std::atomic<uint32_t> count_{0};
  std::atomic<bool> has_moved_{false};
  std::array<Block, kWatched> blocks_{};
  size_t turn_ = 0;
};

}  // namespace mmt::beside
