// libmmt-hoard-3.so is Hoard as it was in 2014 (3.10), for the study of allocators under
// transactional memory. It differs from hoard:
// - Classes are powers of two, so that blocks of 48 bytes lie 64 apart.
// - Locks spin.
// - Blocks of at most 256 bytes pass through a list of the thread's own, without a lock.
#include <pthread.h>
#include <sched.h>

#include <atomic>

#include <mmt/layers/combine/size_classes.h>
#include <mmt/layers/fit/free_list.h>
#include <mmt/layers/general/hoard_heap.h>

#include "heaps/layered_process.h"

namespace mmt::heaps {
namespace {

constexpr size_t kSuperblock = 65536;
constexpr size_t kHeaps = 16;

struct Powers : layers::PowersOfTwo<11, 0> {
  static constexpr size_t of(size_t bytes) { return PowersOfTwo::of(bytes == 0 ? 1 : bytes); }
};
static_assert(Powers::size(Powers::of(48)) == 64 && Powers::kLargest == 16384);

class SpinLock {
 public:
  constexpr SpinLock() = default;

  void lock() {
    for (unsigned tries = 1;; ++tries) {
      bool is_held = false;
      // Acquire pairs with the release below: what the last holder did is seen.
      if (is_held_.compare_exchange_weak(is_held, true, std::memory_order_acquire,
                                         std::memory_order_relaxed)) {
        return;
      }
      if (tries % kSpins == 0) ::sched_yield();
    }
  }
  void unlock() { is_held_.store(false, std::memory_order_release); }

 private:
  static constexpr unsigned kSpins = 1000;
  std::atomic<bool> is_held_{false};
};

// These lists have a thread's own blocks, of at most kMostBytes together. Blocks that are freed
// beyond go to the super-heap, as do all when the thread ends. Any thread.
template <class Super>
class PrivateBlocks : public Super {
 public:
  void* malloc(size_t bytes) {
    if (bytes > kLargest) return Super::malloc(bytes);
    const size_t c = Powers::of(bytes);
    if (own_.lists[c].is_empty()) return Super::malloc(bytes);
    own_.bytes -= Powers::size(c);
    return own_.lists[c].pop();
  }
  void free(void* block) {
    const layers::GranuleHead* const head = Super::head_of(block);
    if (head == nullptr || head->is_large) return Super::free(block);
    const auto* const superblock = static_cast<const layers::Superblock*>(head);
    const size_t size = superblock->size();
    if (size > kLargest || own_.bytes + size > kMostBytes || !is_known()) {
      return Super::free(block);
    }
    own_.lists[superblock->size_class()].push(superblock->block_around(block));
    own_.bytes += size;
  }

 private:
  static constexpr size_t kLargest = 256;
  static constexpr size_t kMostBytes = size_t{256} << 10;

  struct Own {
    layers::FreeList lists[Powers::of(kLargest) + 1];
    size_t bytes = 0;
    PrivateBlocks* known_to = nullptr;  // whose end of thread takes the blocks back
    bool is_asking = false;
    bool has_ended = false;
  };
  static inline constinit thread_local Own own_;
  static inline constinit SpinLock key_lock_;
  static inline pthread_key_t key_;
  static inline bool has_key_ = false;

  // Whether the end of the thread will give back what it keeps.
  bool is_known() {
    if (MMT_LIKELY(own_.known_to != nullptr)) return !own_.has_ended;
    if (own_.is_asking || own_.has_ended) return false;
    own_.is_asking = true;  // what is asked here may allocate and free
    if (make_key() && ::pthread_setspecific(key_, &own_) == 0) own_.known_to = this;
    own_.is_asking = false;
    return own_.known_to != nullptr;
  }
  static bool make_key() {
    const layers::ScopedLock held(key_lock_);
    if (!has_key_) has_key_ = ::pthread_key_create(&key_, end_of_thread) == 0;
    return has_key_;
  }
  static void end_of_thread(void* raw) {
    auto& own = *static_cast<Own*>(raw);
    own.has_ended = true;
    for (layers::FreeList& list : own.lists) {
      while (!list.is_empty()) own.known_to->Super::free(list.pop());
    }
    own.bytes = 0;
  }
};

using Hoard3 =
    layers::Pipe<layers::MmapHeap, layers::Granules<kSuperblock, SpinLock>,
                 layers::Stage<layers::LargeObjectHeap>,
                 layers::Superblocks<Powers, kHeaps, SpinLock>, layers::Stage<PrivateBlocks>>;

}  // namespace
}  // namespace mmt::heaps

namespace mmt::names {
using ProcessHeap = heaps::LayeredProcess<heaps::Hoard3, heaps::ThreadGate>;
}  // namespace mmt::names

#include "heaps/library.h"
