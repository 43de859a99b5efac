#pragma once
// Freed blocks of a thread wait in its quarantine. A block that is freed takes the place of a
// random one of those that wait, and that one leaves. So no block is handed out again at once, and
// which one is cannot be told. What waits is bounded by the number of places, fewer for larger
// blocks. It is bounded in time, too, while the thread calls: once a minute all leave.
//
// Only its thread uses a quarantine. A place changes by one instruction, so that a handler of a
// signal may free in between. Any thread may look at what waits. A quarantine stays, for another
// thread, as its thread ends.
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>

namespace mmt::heap {
struct Heap;
}  // namespace mmt::heap

namespace mmt::harden {

class Quarantine {
 public:
  // Blocks up to so many bytes share the places of small ones.
  static constexpr size_t kSmallBytes = 1024;

  // `block` waits from now on; the result leaves, and may be null.
  MMT_ALWAYS_INLINE void* exchange_small(void* block) {
    return exchange(&small_[next() >> 56 & small_mask_], block);
  }
  // The same for a block of more bytes.
  void* exchange_large(void* block, size_t bytes) {
    const size_t most = bytes <= 4096 ? kLargePlaces : bytes <= 32768 ? kLargePlaces / 2 : 2;
    return exchange(&large_[(next() >> 32) % most], block);
  }

  void open(uint64_t seed, uint32_t small_places, uint64_t now_ms) {
    random_ = seed;
    emptied_ms_ = now_ms;
    small_mask_ = small_places - 1;
  }
  bool is_old(uint64_t now_ms) const { return now_ms - emptied_ms_ > kMostMs; }
  // visit(block) for all that wait, and none waits any more.
  template <class Visit>
  void empty(uint64_t now_ms, Visit&& visit) {
    emptied_ms_ = now_ms;
    for (void*& place : small_)
      if (place != nullptr) visit(exchange(&place, nullptr));
    for (void*& place : large_)
      if (place != nullptr) visit(exchange(&place, nullptr));
  }

  // visit(block) for all that wait, by any thread: a block may have left meanwhile.
  template <class Visit>
  void for_each(Visit&& visit) const {
    const auto look = [&visit](void* const& place) {
      // Relaxed: what the block is tells its state, which is acquired.
      const void* const block = __atomic_load_n(&place, __ATOMIC_RELAXED);
      if (block != nullptr) visit(block);
    };
    for (void* const& place : small_) look(place);
    for (void* const& place : large_) look(place);
  }

  static constexpr uint32_t kSmallPlaces = 256;

  // Whether it is the caller's from now on: no thread had it.
  bool take() {
    return !__atomic_load_n(&is_taken_, __ATOMIC_RELAXED) &&
           !__atomic_exchange_n(&is_taken_, true, __ATOMIC_ACQUIRE);
  }
  void give_back() { __atomic_store_n(&is_taken_, false, __ATOMIC_RELEASE); }
  // All that there have ever been are in one list, see first_quarantine.
  Quarantine* next_in_list() const { return next_; }
  void set_next(Quarantine* next) { next_ = next; }

 private:
  static constexpr uint32_t kLargePlaces = 16;
  static constexpr uint64_t kMostMs = 60000;

  // The uppermost bits are the best. A handler in between takes the same number, which does no
  // harm.
  MMT_ALWAYS_INLINE uint64_t next() {
    return random_ = random_ * 6364136223846793005 + 1442695040888963407;
  }
  static MMT_ALWAYS_INLINE void* exchange(void** place, void* block) {
    // Relaxed: the thread's own.
    void* leaving = __atomic_load_n(place, __ATOMIC_RELAXED);
#if defined(__x86_64__)
    bool is_done;
    do {
      __asm__ volatile("cmpxchgq %3, %1"
                       : "=@ccz"(is_done), "+m"(*place), "+a"(leaving)
                       : "r"(block)
                       : "memory");
    } while (MMT_UNLIKELY(!is_done));
#else
    while (!__atomic_compare_exchange_n(place, &leaving, block, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
    }
#endif
    return leaving;
  }

  uint64_t random_;
  uint32_t small_mask_;
  uint64_t emptied_ms_;  // see times.h
  void* small_[kSmallPlaces];
  void* large_[kLargePlaces];
  Quarantine* next_;
  bool is_taken_;
};

// The list's first; nullptr: there are none.
Quarantine* first_quarantine();

// The calling thread's; nullptr: it has none yet, or has ended.
extern __thread Quarantine* current_quarantine;

// In a fork's child: blocks of its parent's other threads were copied amid what these did.
void distrust_in_child();

// Makes one. nullptr: no memory is to be had, or the thread has ended.
Quarantine* begin_quarantine(heap::Heap& heap);
// All that waits leaves, where it has waited for long.
void release_old(heap::Heap& heap, uint64_t now_ms);
// The calling thread ends: all that waits leaves.
void end_quarantine(heap::Heap& heap);

}  // namespace mmt::harden
