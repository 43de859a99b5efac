// The names of malloc and of operator new, over the heap that the memory thread serves.
#include <climits>
#include <cstddef>

#include "abi/process_heap.h"
#include "offload/block_run.h"
#include "offload/heap.h"
#include "offload/lifecycle.h"
#include "offload/purger.h"
#include "preload/info.h"

namespace mmt::abi {

struct ProcessHeap {
  static constexpr bool kIsClosedAtFirst = true;  // by fast_sizes, and a region that has no block

  template <class Slow>
  static MMT_ALWAYS_INLINE void* allocate_or(size_t bytes, Slow&& slow) {
    return offload::allocate_or(bytes, slow);
  }
  template <class Slow>
  static MMT_ALWAYS_INLINE void deallocate_or(void* block, Slow&& slow) {
    offload::deallocate_or(block, slow);
  }
  static void* allocate_slow(size_t bytes) { return offload::allocate_slow(bytes); }
  static bool deallocate_slow(void* block) { return offload::deallocate_slow(block); }
  static void* allocate_aligned(size_t bytes, size_t alignment) {
    return offload::allocate_aligned(bytes, alignment);
  }
  static void* allocate_zeroed(size_t bytes) { return offload::allocate_zeroed(bytes); }
  static void* reallocate(void* block, size_t bytes) { return offload::reallocate(block, bytes); }
  static size_t usable_size(const void* block) { return offload::usable_size(block); }
  static bool owns(const void* block) { return offload::owns(block); }
  static void keep_to_slow_paths() { offload::keep_to_slow_paths(); }
  static bool trim(size_t) { return offload::trim(); }
  static void set_trim_threshold(int value) {
    // Either is how programs ask that nothing goes.
    const bool keeps = value < 0 || value == INT_MAX;
    offload::Purger::set_floor(keeps ? offload::Purger::kKeepAll : static_cast<size_t>(value));
    if (keeps) offload::prepare_for_no_faults();
  }
  static struct mallinfo2 info() { return preload::info(); }
  static int print_info(int options, FILE* stream) { return preload::print_info(options, stream); }
  static void print_stats() { preload::print_stats(); }
  static void install_fork_handlers() { offload::install_fork_handlers(); }
};

}  // namespace mmt::abi

#include "abi/c_names.inc"
#include "abi/cxx_names.inc"

// As free of each, for programs that free many blocks at once: runs of one class, unless short, go
// past the thread's caches to the memory thread, together.
MMT_EXPORT void mmt_free_batch(void* const* blocks, size_t count) {
  while (count > 0) {
    size_t done = mmt::abi::is_perturbing() ? 0 : mmt::offload::deallocate_run(blocks, count);
    if (done == 0) {
      p::Names::deallocate(*blocks);
      done = 1;
    }
    blocks += done;
    count -= done;
  }
}
