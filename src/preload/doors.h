#pragma once
// The doors of libmmt.so: what its names, and the calls beside which it stands, are over the
// process's heap. This header and process_heap.h's two files alone name that.
#include <pthread.h>

#include <climits>
#include <cstddef>

#include "confine/background_thread.h"
#include "confine/page_owner.h"
#include "heap/keeper/purger.h"
#include "heap/keeper/rights.h"
#include "heap/keeper/server_thread.h"
#include "heap/object/server_orders.h"
#include "heap/pages/changed_pages.h"
#include "heap/pages/page_hooks.h"
#include "heap/process/allocation.h"
#include "heap/process/block_run.h"
#include "heap/process/opening.h"
#include "heap/process/process_heap.h"
#include "heap/thread/entry.h"
#include "names/process_heap.h"
#include "observe/exit_report.h"
#include "observe/stats.h"
#include "preload/info.h"

namespace mmt::names {

struct ProcessHeap {
  static constexpr bool kIsClosedAtFirst = true;  // by fast_sizes, and a region that has no block

  template <class Slow>
  static MMT_ALWAYS_INLINE void* allocate_or(size_t bytes, Slow&& slow) {
    return heap::allocate_or(bytes, slow);
  }
  template <class Slow>
  static MMT_ALWAYS_INLINE void deallocate_or(void* block, Slow&& slow) {
    heap::deallocate_or(heap::process_heap.depot.region(), block, slow);
  }
  static void* allocate_slow(size_t bytes) {
    return heap::allocate_slow(heap::process_heap, bytes);
  }
  static bool deallocate_slow(void* block) {
    return heap::deallocate_slow(heap::process_heap, block);
  }
  template <class Checks>
  static void* allocate_checked(size_t bytes) {
    return heap::allocate_checked<Checks>(heap::process_heap, bytes);
  }
  template <class Checks>
  static bool deallocate_checked(void* block) {
    return heap::deallocate_checked<Checks>(heap::process_heap, block);
  }
  static void* allocate_aligned(size_t bytes, size_t alignment) {
    return heap::allocate_aligned(heap::process_heap, bytes, alignment);
  }
  static void* allocate_zeroed(size_t bytes) {
    return heap::allocate_zeroed(heap::process_heap, bytes);
  }
  static void* reallocate(void* block, size_t bytes) {
    return heap::reallocate(heap::process_heap, block, bytes);
  }
  static size_t usable_size(const void* block) {
    return heap::usable_size(heap::process_heap, block);
  }
  static bool owns(const void* block) { return heap::owns(heap::process_heap, block); }
  static void keep_to_slow_paths() { heap::keep_to_slow_paths(heap::process_heap); }
  static bool trim(size_t) { return heap::trim(heap::process_heap); }
  static void set_trim_threshold(int value) {
    // Either is how programs ask that nothing goes.
    const bool keeps = value < 0 || value == INT_MAX;
    heap::Purger::set_floor(heap::process_heap,
                            keeps ? heap::kKeepAll : static_cast<size_t>(value));
    if (keeps) heap::prepare_for_no_faults(heap::process_heap);
  }
  static struct mallinfo2 info() { return preload::info(heap::process_heap); }
  static int print_info(int options, FILE* stream) {
    return preload::print_info(heap::process_heap, options, stream);
  }
  static void print_stats() { preload::print_stats(heap::process_heap); }
  static size_t deallocate_run(void* const* blocks, size_t count) {
    return heap::deallocate_run(heap::process_heap, blocks, count);
  }
  static void install_fork_handlers() { heap::install_fork_handlers(); }
};

}  // namespace mmt::names

namespace mmt::confine {

struct BackgroundThread {
  static bool stop() { return heap::stop_for_change(heap::process_heap); }
  static void start_early() {
    if (heap::open_heap(heap::process_heap)) heap::start_server_early(heap::process_heap);
  }
  static void reconsider() { heap::reconsider_server(heap::process_heap); }
  static void start_none(bool forks_too) { heap::start_no_server(heap::process_heap, forks_too); }
  static bool at_home() { return heap::at_home(heap::process_heap); }
  static void identity_changed(bool of_all) {
    heap::note_changed_identity(heap::process_heap, of_all);
  }
  static void unreadable_changed(const sys::SystemCall&) { identity_changed(false); }
  static void capabilities_changed(bool of_bounding_set) {
    heap::note_changed_capabilities(heap::process_heap, of_bounding_set);
  }
};
static_assert(IsBackgroundThread<BackgroundThread>);

struct PageOwner {
  static void note_flags(const void* start, size_t bytes) {
    heap::note_changed_pages(heap::process_heap, start, bytes, store::Change::kFlags);
  }
  static void note_mapping(const void* start, size_t bytes) {
    heap::note_changed_pages(heap::process_heap, start, bytes, store::Change::kMapping);
  }
  static void about_to_move(const void* start, size_t bytes) {
    heap::join_pages_to_move(heap::process_heap, start, bytes);
  }
  static void note_mlockall(bool locked) { heap::note_mlockall(heap::process_heap, locked); }
  static void note_unseen() { heap::note_unseen_changes(heap::process_heap); }
  static void watch(bool (*are_set)(), bool (*discard)(void*, size_t),
                    bool (*unmap)(void*, size_t)) {
    heap::use_page_hooks({are_set, discard, unmap});
  }
};
static_assert(IsPageOwner<PageOwner>);

}  // namespace mmt::confine

namespace mmt::names {

// As the library is loaded, and as the process ends.
struct Process {
  static void begin() {
    heap::install_fork_handlers();
    observe::plan_exit_report(heap::process_heap);
    if (observe::keep_page_fresh(heap::process_heap))
      pthread_atfork(nullptr, nullptr, [] { observe::renew_page_in_child(heap::process_heap); });
  }
  static void end() { observe::write_exit_report(heap::process_heap); }
  // Once it has begun.
  static const heap::Options& options() { return heap::process_heap.options; }
};

}  // namespace mmt::names
