#pragma once
// Some of the region's memory was made resident ahead of use. A PreparedMemory knows the latest
// piece of it without a gap, in offsets in the region, in bytes.
//
// One thread notes; any thread asks, at any time. All accesses are relaxed: all of it is a hint,
// and the memory itself is found otherwise. A thread that sees one bound without the other makes
// resident what is so already, or leaves pages to be faulted in. No call fails.
#include <atomic>
#include <cstddef>

namespace mmt::store {

class PreparedMemory {
 public:
  // What was noted before is forgotten, unless it ends at `from`.
  void note(size_t from, size_t bytes) {
    if (from != through()) from_.store(from, std::memory_order_relaxed);
    through_.store(from + bytes, std::memory_order_relaxed);
  }
  void forget() {
    from_.store(0, std::memory_order_relaxed);
    through_.store(0, std::memory_order_relaxed);
  }

  struct Range {
    size_t from;
    size_t through;  // not below `from`
  };
  // Both bounds by one look. Where they change meanwhile, what lies between the old and the new one
  // may be too much: pages there are as good as fresh ones.
  Range range() const {
    const size_t from = from_.load(std::memory_order_relaxed);
    const size_t end = through();
    return {from, end < from ? from : end};
  }
  size_t through() const { return through_.load(std::memory_order_relaxed); }
  bool has_all(size_t from, size_t bytes) const {
    return from >= from_.load(std::memory_order_relaxed) && from + bytes <= through();
  }
  bool has_some(size_t from, size_t bytes) const {
    return from + bytes > from_.load(std::memory_order_relaxed) && from < through();
  }

 private:
  std::atomic<size_t> from_{0};
  std::atomic<size_t> through_{0};
};

}  // namespace mmt::store
