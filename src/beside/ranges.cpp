#include "beside/ranges.h"

#include <algorithm>

namespace mmt::beside {

// False: another thread, or one that this one has interrupted, is at it.
template <class Change>
bool Ranges::change(Change&& change) {
  uint32_t even = version_.load(std::memory_order_relaxed) & ~1U;
  if (!version_.compare_exchange_strong(even, even + 1, std::memory_order_acquire)) return false;
  std::atomic_thread_fence(std::memory_order_release);  // the number before the ranges
  if (is_stale_.exchange(false, std::memory_order_acquire)) {
    for (Range& range : ranges_) range.set(0, 0);
  }
  change();
  version_.store(even + 2, std::memory_order_release);
  return true;
}

void Ranges::put(uintptr_t begin, uintptr_t end) {
  for (Range& range : ranges_) {
    const uintptr_t from = range.begin.load(std::memory_order_relaxed);
    const uintptr_t to = range.end.load(std::memory_order_relaxed);
    if (from == to || begin > to || end < from) continue;
    return range.set(std::min(from, begin), std::max(to, end));
  }
  ranges_[next_++ % kMost].set(begin, end);
}

void Ranges::add(uintptr_t begin, uintptr_t end) {
  if (begin >= end) return;
  change([=, this] { put(begin, end); });
}

void Ranges::cut(uintptr_t begin, uintptr_t end) {
  if (begin >= end) return;
  const bool is_done = change([=, this] {
    for (Range& range : ranges_) {
      const uintptr_t from = range.begin.load(std::memory_order_relaxed);
      const uintptr_t to = range.end.load(std::memory_order_relaxed);
      if (from == to || begin >= to || end <= from) continue;
      range.set(0, 0);
      if (from < begin) range.set(from, begin);
      if (end < to && from < begin) {
        ranges_[next_++ % kMost].set(end, to);
      } else if (end < to) {
        range.set(end, to);
      }
    }
  });
  if (!is_done) is_stale_.store(true, std::memory_order_release);
}

void Ranges::reset_in_child() {
  version_.store((version_.load(std::memory_order_relaxed) + 1) & ~1U, std::memory_order_relaxed);
  is_stale_.store(true, std::memory_order_relaxed);
}

uintptr_t Ranges::end_of(uintptr_t address) const {
  const uint32_t before = version_.load(std::memory_order_acquire);
  uintptr_t end = 0;
  for (const Range& range : ranges_) {
    const uintptr_t to = range.end.load(std::memory_order_relaxed);
    if (address >= range.begin.load(std::memory_order_relaxed) && address < to) end = to;
  }
  std::atomic_thread_fence(std::memory_order_acquire);  // the ranges before the number
  const bool is_whole = before % 2 == 0 && before == version_.load(std::memory_order_relaxed);
  return is_whole && !is_stale_.load(std::memory_order_acquire) ? end : 0;
}

}  // namespace mmt::beside
