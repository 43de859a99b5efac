#pragma once
// Blocks that their threads have left, and that rest until the memory thread inspects them: see
// inspection.h. The memory thread may be late, and the program must not run out of memory
// meanwhile. So what rests is bounded in bytes. Beyond the bound, the thread that leaves a block
// inspects it. Any thread may call these. All are relaxed: a bound. All zero bits are valid.
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <mmt/sync/take_all_list.h>

namespace mmt::heap {

// Blocks with mappings of their own that may rest, at most.
inline constexpr uint32_t kMostUninspected = 32;

class Uninspected {
 public:
  // So much may rest, beside a part of what is in use.
  static constexpr size_t kFloor = size_t{8} << 20;
  static constexpr size_t kShare = 16;

  // Whether so many bytes more may rest, with `in_use` bytes of the heap in use. One block always
  // may.
  bool admits(size_t bytes, size_t in_use) const {
    const size_t resting = bytes_.load(std::memory_order_relaxed);
    return resting == 0 || resting + bytes <= kFloor + in_use / kShare;
  }
  // It is called before the blocks can be found here.
  void add(size_t bytes) { bytes_.fetch_add(bytes, std::memory_order_relaxed); }
  void lose(size_t bytes) { bytes_.fetch_sub(bytes, std::memory_order_relaxed); }

  sync::TakeAllList<> large;                    // by slots, plus 1
  std::atomic<void*> mapped[kMostUninspected];  // those with mappings of their own

 private:
  std::atomic<size_t> bytes_;  // those in bitmaps included
};

}  // namespace mmt::heap
