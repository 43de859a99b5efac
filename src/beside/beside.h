#pragma once
// Beside is our own protocol over any allocator. It has what names/process_heap.h asks for. It is
// to lose nothing, so it stands beside the library rather than in front of it. The names lead
// straight to the library's functions. A thread of ours does what needs no answer: it makes memory
// resident ahead of a growing heap (growth.h).
//
// The names jump through `entries`. The program's own calls of malloc and free go past them
// (bindings.h). Both lead where this mode says:
//
//   start  the library's calls, with the guard against re-entry
//   aside  the library's own functions: nothing of ours is left in the way. A program that has
//          signal handlers, which may allocate, stays as at the start
//   slow   for good: every call is seen
#include <atomic>
#include <cstdint>

#include <mmt/core/compiler.h>

#include "backend/clients.h"
#include "backend/library_calls.h"
#include "beside/bindings.h"
#include "beside/growth_thread.h"
#include "beside/handlers.h"
#include "beside/large_blocks.h"
#include "beside/room_ahead.h"
#include "names/translate.h"

namespace mmt::beside {

// A thread holds nothing.
struct BesideClient {
  static void clear() {}
};

class Beside : public backend::LibraryCalls<Beside, backend::Clients<BesideClient>> {
  using All = backend::Clients<BesideClient>;
  using Base = backend::LibraryCalls<Beside, All>;
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
  static void* reallocate(void* block, size_t bytes);
  static void* allocate_aligned(size_t bytes, size_t alignment);
  static void* allocate_zeroed(size_t bytes);

  static bool is_librarys(const Inside& inside);
  static void* allocate_slow(size_t bytes);
  static bool deallocate_slow(void* block);
  static void settle() {}
  static void count(size_t bytes);
  static void keep_to_slow_paths();
  static int set_parameter(int parameter, int value);
  static void install_fork_handlers();
  // A new block of the library's, or where it will lie.
  static void note(const void* block) { growth_.note(block); }

  // --- for confine/background_thread.h ---

  static bool stop();
  static void start_early();
  static void start_none(bool forks_too);
  static bool at_home() { return growth_.at_home(); }
  static void reconsider() { growth_.reconsider(); }
  static void identity_changed(bool of_all) {
    if (growth_.leave_for_identity(of_all)) begin_anew();
  }
  static void unreadable_changed(const sys::SystemCall&) { identity_changed(false); }
  static void capabilities_changed(bool of_bounding_set) {
    if (growth_.leave_for_capabilities(of_bounding_set)) begin_anew();
  }

 private:
  using Malloc = void*(size_t);
  using Free = void(void*);
  // Relaxed throughout: whichever is seen is right.
  struct Entries {
    std::atomic<Malloc*> malloc;
    std::atomic<Free*> free;
  };
  struct Entry {
    Malloc* malloc;
    Free* free;
  };
  enum class Mode : uint8_t { kStart, kAside, kSlow };

  static bool is_aside() {
    return entries_.free.load(std::memory_order_relaxed) == backend::library.free;
  }

  static void* guarded_malloc(size_t bytes);
  static void guarded_free(void* block);
  static void* noted_malloc(size_t bytes);

  static bool may_be_mapped(size_t bytes) { return large_.is_for(bytes) && room_.is_glibcs(); }
  template <class Call>
  static void* large(Call&& call);

  static void enter(Mode mode);
  static void apply();
  static Entry wanted();
  static bool may_lead_aside();
  static bool is_time(size_t bytes);
  static void start_growth();
  static void begin_anew();
  static void ask();

  static constinit Entries entries_;
  static constinit Binding malloc_binding_;
  static constinit Binding free_binding_;
  // Sequentially consistent against apply(), relaxed where a call that sees the mode of before does
  // as it would have then.
  static constinit std::atomic<Mode> mode_;
  static constinit std::atomic<uint64_t> volume_;  // relaxed: one call crosses the line
  static constinit GrowthThread growth_;
  static constinit RoomAhead room_;
  static constinit LargeBlocks large_;
};

}  // namespace mmt::beside
