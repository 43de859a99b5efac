#pragma once
// Our own protocol over any allocator: what abi/process_heap.h asks for. Each thread keeps what it
// frees for its next requests, and the helper thread makes memory resident ahead of a growing heap.
// It is to lose nothing: where recycling costs more than the library's own calls (calibration.h),
// or does not pay in this program (Magazines::review), the names lead straight to the library.
//
// The names jump through `entries`, which hold one of:
//   guarded    the library's calls, with the guard against re-entry; at the start
//   recycling  magazines first, with the same guard
//   aside      the library's own functions: nothing of ours is left in the way. A program that has
//              signal handlers, which may allocate, has guarded instead
#include <atomic>
#include <cstdint>
#include <cstring>

#include <mmt/core/compiler.h>
#include <mmt/sys/clock.h>

#include "abi/translate.h"
#include "agnostic/clients.h"
#include "agnostic/library_calls.h"
#include "agnostic/recycling/calibration.h"
#include "agnostic/recycling/growth.h"
#include "agnostic/recycling/handlers.h"
#include "agnostic/recycling/magazines.h"

namespace mmt::agnostic {

struct RecyclingClient : Magazines {};

class Recycling : public LibraryCalls<Recycling, Clients<RecyclingClient>> {
  using All = Clients<RecyclingClient>;
  using Base = LibraryCalls<Recycling, All>;
  using Inside = All::Inside;

 public:
  // --- the names ---

  static MMT_ALWAYS_INLINE void* allocate_whole(size_t bytes) {
    return entries_.malloc.load(std::memory_order_relaxed)(bytes);
  }
  template <class Slow>
  static MMT_ALWAYS_INLINE void* allocate_or(size_t bytes, Slow&& slow) {
    void* block = allocate_whole(bytes);
    return MMT_LIKELY(block != nullptr) ? block : slow(bytes);
  }
  template <class Slow>
  static MMT_ALWAYS_INLINE void deallocate_or(void* block, Slow&&) {
    entries_.free.load(std::memory_order_relaxed)(block);
  }
  static void* reallocate(void* block, size_t bytes) {
    if (is_aside()) return library.realloc(block, bytes);
    return Base::reallocate(block, bytes);
  }
  static void* allocate_zeroed(size_t bytes) {
    if (is_aside()) return library.calloc(1, bytes);
    if (bytes > Magazines::kLargest) {
      const Inside inside;
      if (inside.is_first()) return library.calloc(1, bytes);
    }
    void* block = allocate_whole(bytes);
    return block == nullptr ? nullptr : memset(block, 0, bytes);
  }

  static void* allocate_slow(size_t bytes);
  static bool deallocate_slow(void* block);
  static void keep_to_slow_paths();
  static void set_parameter(int parameter, int value);
  static void install_fork_handlers();

 private:
  using Malloc = void*(size_t);
  using Free = void(void*);
  // Relaxed throughout: whichever is seen is right.
  struct Entries {
    std::atomic<Malloc*> malloc;
    std::atomic<Free*> free;
  };
  enum class Mode : uint8_t { kStart, kRecycling, kAside, kSlow };

  static bool is_aside() { return entries_.free.load(std::memory_order_relaxed) == library.free; }

  static void* guarded_malloc(size_t bytes);
  static void guarded_free(void* block);
  static void* recycling_malloc(size_t bytes);
  static void recycling_free(void* block);
  static void* noted_malloc(size_t bytes);

  static void enter(Mode mode);
  static bool is_time(size_t bytes);
  static void decide();
  static void review(RecyclingClient& client);
  static void start_growth();
  static void ask(uint64_t now);

  static constinit Entries entries_;
  static constinit std::atomic<Mode> mode_;
  static constinit std::atomic<uint64_t> volume_;
  static constinit std::atomic<uint64_t> retry_at_;     // monotonic, ns
  static constinit std::atomic<uint64_t> retry_after_;  // ns
  static constinit Growth growth_;
};

}  // namespace mmt::agnostic
