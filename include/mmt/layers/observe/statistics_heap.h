// This layer counts blocks, bytes and operations, at the cost of some additions. Bytes are as
// get_size() tells them. If the super-heap has no sizes, bytes are as asked for, and plain free()
// does not lower them. That is right for sources that take nothing back. The layer is as
// thread-safe as what lies above.
#pragma once

#include <mmt/layers/heap.h>
#include <mmt/layers/observe/observed_heap.h>
#include <mmt/layers/pipe.h>

namespace mmt::layers {

struct HeapStatistics {
  size_t mallocs = 0;  // those that were served
  size_t frees = 0;
  size_t failures = 0;
  size_t grown = 0;
  size_t blocks = 0;  // now
  size_t bytes = 0;
  size_t peak_blocks = 0;
  size_t peak_bytes = 0;
  size_t total_bytes = 0;  // ever given out
};

namespace detail {

template <bool kHasSizes>
struct Counter {
  static constexpr bool kWantsSizes = true;

  void gave(void*, size_t asked, size_t, size_t has) {
    ++now.mallocs;
    if (++now.blocks > now.peak_blocks) now.peak_blocks = now.blocks;
    more(kHasSizes ? has : asked);
  }
  void refused(size_t, size_t) { ++now.failures; }
  void takes(void*, size_t asked, size_t had) {
    ++now.frees;
    --now.blocks;
    now.bytes -= kHasSizes ? had : asked;
  }
  void grew(void*, size_t, size_t had, size_t has) {
    ++now.grown;
    more(has - had);
  }
  void cleared() { now.blocks = now.bytes = 0; }

  HeapStatistics now;

 private:
  void more(size_t bytes) {
    now.total_bytes += bytes;
    now.bytes += bytes;
    if (now.bytes > now.peak_bytes) now.peak_bytes = now.bytes;
  }
};

}  // namespace detail

template <class Super>
class StatisticsHeap : public ObservedHeap<detail::Counter<SizedHeap<Super>>, Super> {
  static_assert(Heap<Super>,
                "StatisticsHeap: its super-heap has no malloc(size_t) and free(void*)");
  using Observed = ObservedHeap<detail::Counter<SizedHeap<Super>>, Super>;

 public:
  using Observed::Observed;

  const HeapStatistics& statistics() const { return this->observer().now; }
  // From now on peaks are those of what follows.
  void restart_peaks() {
    HeapStatistics& now = this->observer().now;
    now.peak_blocks = now.blocks;
    now.peak_bytes = now.bytes;
  }
};

using Statistics = Stage<StatisticsHeap>;

}  // namespace mmt::layers
