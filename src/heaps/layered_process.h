#pragma once
// A composition of layers as the one heap of a process: one object, which is never ended, behind a
// gate. Gate lets one thread in at a time. ThreadGate lets in any number, for heaps that are
// thread-safe themselves. This is what names/process_heap.h asks for. Heap is default constructible
// at compile time, Owning and Sized.
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstdint>
#include <cstring>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/core/never_destroyed.h>
#include <mmt/core/stack.h>
#include <mmt/layers/adapt/ansi_heap.h>
#include <mmt/layers/heap.h>
#include <mmt/reentry/reentry.h>

#include "heaps/gate.h"
#include "heaps/thread_gate.h"
#include "heaps/usage.h"

namespace mmt::heaps {

template <class Heap, class GateType = Gate>
class LayeredProcess {
  static_assert(layers::OwningHeap<Heap>, "LayeredProcess: a heap that knows its blocks is needed");
  static_assert(layers::SizedHeap<Heap>, "LayeredProcess: a heap that tells sizes is needed");

 public:
  static constexpr bool kIsClosedAtFirst = GateType::kIsClosedAtFirst;

  template <class Slow>
  static MMT_ALWAYS_INLINE void* allocate_or(size_t bytes, Slow&& slow) {
    core::touch_stack<kStepStack>();
    if (MMT_UNLIKELY(!gate_.enter_quickly())) return slow(bytes);
    void* block = malloc_here(bytes);
    gate_.leave_quickly();
    return MMT_LIKELY(block != nullptr) ? block : slow(bytes);
  }
  template <class Slow>
  static MMT_ALWAYS_INLINE void deallocate_or(void* block, Slow&& slow) {
    core::touch_stack<kStepStack>();
    if (MMT_UNLIKELY(!gate_.enter_quickly())) return slow(block);
    const bool is_done = free_here(block);
    gate_.leave_quickly();
    if (MMT_UNLIKELY(!is_done)) slow(block);
  }

  static void* allocate_slow(size_t bytes) {
    return allocate_aligned(bytes, layers::kBlockAlignment);
  }
  static bool deallocate_slow(void* block) {
    if (block == nullptr) return false;
    if (reentry_.owns(block)) return reentry_.free(block), true;
    Inside inside;
    if (!heap_owns(block) && !(kReportsJunk && inside.is_first() && is_junk(block))) return false;
    if (inside.is_first()) {
      heap().free(block);
    } else {
      reentry_.defer_free(block);
      gate_.ask_attention();
    }
    return true;
  }
  static void* allocate_aligned(size_t bytes, size_t alignment) {
    Inside inside;
    if (!inside.is_first()) return reentry_.allocate(bytes, alignment);
    if (alignment <= layers::kBlockAlignment) return heap().malloc(bytes);
    return heap().allocate(bytes, alignment).data;
  }
  static void* allocate_zeroed(size_t bytes) {
    void* block = allocate_slow(bytes);
    if (block != nullptr) zero(block, bytes);
    return block;
  }
  static void* reallocate(void* block, size_t bytes) {
    if (!moves_always() && !reentry_.owns(block)) {
      Inside inside;
      void* const same = inside.is_first() ? storage_.value.resize(block, bytes) : nullptr;
      if (same != nullptr) return same;
    }
    // The copy is made outside of the gate: the block may be such that a handler leaves it for
    // good.
    const size_t size = usable_size(block);
    void* moved = allocate_slow(bytes);
    if (moved == nullptr) return bytes <= size ? block : nullptr;
    memcpy(moved, block, size < bytes ? size : bytes);
    deallocate_slow(block);
    return moved;
  }
  static size_t usable_size(const void* block) {
    if (reentry_.owns(block)) return reentry::Reentry::size_of(block);
    if (MMT_LIKELY(gate_.enter_quickly())) {
      const size_t size = heap().get_size(block);
      gate_.leave_quickly();
      return size;
    }
    Inside inside;
    return heap().get_size(block);
  }
  static bool owns(const void* block) {
    if (reentry_.owns(block)) return true;
    Inside inside;
    return heap_owns(block);
  }

  static void keep_to_slow_paths() { gate_.stay_slow(); }
  static bool trim(size_t) {
    Inside inside;
    if constexpr (requires { heap().trim(); }) return inside.is_first() && heap().trim();
    return false;
  }
  static void set_trim_threshold(int value) {
    Inside inside;
    const size_t bytes = value < 0 ? SIZE_MAX : static_cast<size_t>(value);
    if constexpr (requires { heap().set_trim_threshold(bytes); }) {
      if (inside.is_first()) heap().set_trim_threshold(bytes);
    }
  }
  // What set_trim_threshold() is not asked for; 1, as glibc answers what it takes.
  static int set_parameter(int parameter, int value) {
    Inside inside;
    if constexpr (requires { heap().use_large_heap(true); }) {
      if (parameter == M_MMAP_MAX && inside.is_first()) heap().use_large_heap(value != 0);
    }
    return 1;
  }
  static struct mallinfo2 info() {
    Inside inside;
    return wide_info(usage_of(heap()));
  }
  static int print_info(int options, FILE* stream) {
    if (options != 0) return EINVAL;
    return write_xml(stream, info());
  }
  static void print_stats() { write_stats(info()); }

  static void install_fork_handlers() {
    static bool is_done = false;
    if (is_done) return;
    is_done = true;
    ::pthread_atfork(prepare_fork, after_fork_in_parent, after_fork_in_child);
  }

  static Heap& heap() { return storage_.value; }

 private:
  // What the heap's frames take: tests/fastpath has the bound.
  static constexpr size_t kStepStack = 1024;

  // Alone in the heap, unless this thread is inside already.
  class Inside {
   public:
    Inside() : is_first_(enter()) {}
    ~Inside() {
      if (is_first_) gate_.leave();
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    bool is_first() const { return is_first_; }

   private:
    bool is_first_;
  };

  // Inside the gate; of a heap that has them, the parts that make no call.
  static MMT_ALWAYS_INLINE void* malloc_here(size_t bytes) {
    if constexpr (requires { heap().malloc_quickly(bytes); }) return heap().malloc_quickly(bytes);
    return heap().malloc(bytes);
  }
  static MMT_ALWAYS_INLINE bool free_here(void* block) {
    if constexpr (requires { heap().free_quickly(block); }) return heap().free_quickly(block);
    if (MMT_UNLIKELY(!heap().owns(block))) return false;
    heap().free(block);
    return true;
  }

  // Inside the gate; without the lock of a heap that is offloaded, as far as may be.
  static bool heap_owns(const void* block) {
    if constexpr (requires { heap().owns_quickly(block); }) {
      if (heap().owns_quickly(block)) return true;
    }
    return heap().owns(block);
  }

  // PHK warns of what it does not know. That may be another library's block, unless there is no
  // memory at all.
  static constexpr bool kReportsJunk = requires { requires Heap::kReportsJunk; };
  static bool is_junk(const void* block) {
    constexpr uintptr_t kPage = 4096;
    const uintptr_t page = core::align_down(reinterpret_cast<uintptr_t>(block), kPage);
    unsigned char is_resident;
    return core::raw_syscall(SYS_mincore, static_cast<long>(page), kPage,
                             reinterpret_cast<long>(&is_resident)) != 0;
  }

  static bool enter() {
    core::touch_stack<kStepStack>();
    if (!gate_.enter()) return false;
    if (MMT_UNLIKELY(reentry_.has_deferred())) free_deferred();
    return true;
  }
  static MMT_COLD void free_deferred() {
    reentry_.take_deferred([](void* block) { heap().free(block); });
  }

  // Whole pages of a large block read as zero once the system has them back: those that are fresh
  // stay untouched so.
  static void zero(void* block, size_t bytes) {
    constexpr size_t kPage = 4096;
    if (bytes >= 32 * kPage) {
      auto* const begin = static_cast<char*>(block);
      const auto address = reinterpret_cast<uintptr_t>(block);
      const size_t first = core::align_up(address, kPage) - address;
      const size_t last = core::align_down(address + bytes, kPage) - address;
      // The call itself, which leaves errno alone: locked memory is refused.
      if (core::raw_syscall(SYS_madvise, static_cast<long>(address + first),
                            static_cast<long>(last - first), MADV_DONTNEED) == 0) {
        memset(begin, 0, first);
        memset(begin + last, 0, bytes - last);
        return;
      }
    }
    memset(block, 0, bytes);
  }

  // PHK's option R.
  static bool moves_always() {
    if constexpr (requires { heap().options().always_move; }) return heap().options().always_move;
    return false;
  }

  // A handler that interrupts a fork may fork too, between any two steps of it.
  static void prepare_fork() {
    const bool is_entry = gate_.prepare_fork();
    fork_entries_ = fork_entries_ << 1 | is_entry;
    if constexpr (requires { heap().prepare_fork(); }) heap().prepare_fork();
  }
  static void after_fork_in_parent() {
    if constexpr (requires { heap().prepare_fork(); }) heap().after_fork_in_parent();
    if (end_fork()) gate_.leave();
  }
  static void after_fork_in_child() {
    gate_.reset_in_child(end_fork());
    if constexpr (requires { heap().prepare_fork(); }) heap().after_fork_in_child();
  }

  // Whether the fork that ends was an entry.
  static bool end_fork() {
    const bool is_entry = (fork_entries_ & 1) != 0;
    fork_entries_ >>= 1;
    return is_entry;
  }

  // Only realloc is used of AnsiHeap; the rest is the heap's own, past its checks for null.
  MMT_NO_DESTROY static inline constinit core::NeverDestroyed<layers::AnsiHeap<Heap>> storage_;
  static inline constinit GateType gate_;
  MMT_NO_DESTROY static inline constinit core::NeverDestroyed<reentry::Reentry> kept_reentry_;
  static constexpr reentry::Reentry& reentry_ = kept_reentry_.value;
  static inline uint64_t fork_entries_ = 0;  // a bit for each fork under way, the last one's lowest
};

}  // namespace mmt::heaps
