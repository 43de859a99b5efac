#pragma once
// Ranges tells which memory a library has mapped for itself, so that nothing is done to the
// program's own. The program's memory may adjoin the library's, and the kernel then makes one
// mapping of both. A few ranges are kept, the latest; nothing is known of others.
//
// Ranges are written and read without waiting: a thread that finds a writer at work leaves it. A
// range that should have been taken out meanwhile makes all ranges stale. Nobody is told of stale
// ranges, until the next writer has forgotten them.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace mmt::beside {

// All zero is valid: none. Any thread may call it, in any context.
class Ranges {
 public:
  // [begin, end) is the library's. It is joined with one that it adjoins.
  void add(uintptr_t begin, uintptr_t end);
  // It no longer is, or no longer that of before.
  void cut(uintptr_t begin, uintptr_t end);
  // The end of the one that `address` lies in; 0: none is known.
  uintptr_t end_of(uintptr_t address) const;
  // Changes when any of them do.
  uint32_t version() const {
    const uint32_t version = version_.load(std::memory_order_acquire);
    return is_stale_.load(std::memory_order_acquire) ? version | 1 : version;
  }
  // A fork's child, whose parent's other threads may have been writing. Nothing is known any more.
  void reset_in_child();

 private:
  static constexpr size_t kMost = 64;

  struct Range {
    std::atomic<uintptr_t> begin{0};
    std::atomic<uintptr_t> end{0};  // begin and end are the same: none
    void set(uintptr_t from, uintptr_t to) {
      begin.store(from, std::memory_order_relaxed);
      end.store(to, std::memory_order_relaxed);
    }
  };

  template <class Change>
  bool change(Change&& change);
  void put(uintptr_t begin, uintptr_t end);

  // Odd while one writes. Acquire by a thread that begins to write or read, release by one that has
  // written: what stands between is that of one version.
  std::atomic<uint32_t> version_{0};
  std::atomic<bool> is_stale_{false};
  uint32_t next_ = 0;
  std::array<Range, kMost> ranges_;
};

}  // namespace mmt::beside
