#pragma once
// The doors of libmmt.so: what its names, and the calls beside which it stands, are over the
// process's heap. This header and process_heap.h's two files alone name that.
#include <pthread.h>

#include <climits>
#include <cstddef>

#include "abi/background_thread.h"
#include "abi/page_owner.h"
#include "abi/process_heap.h"
#include "observe/exit_report.h"
#include "observe/stats.h"
#include "offload/block_run.h"
#include "offload/changed_pages.h"
#include "offload/entry.h"
#include "offload/heap.h"
#include "offload/opening.h"
#include "offload/page_hooks.h"
#include "offload/process_heap.h"
#include "offload/purger.h"
#include "offload/rights.h"
#include "offload/server_orders.h"
#include "offload/server_thread.h"
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
    offload::deallocate_or(offload::process_heap.depot.region(), block, slow);
  }
  static void* allocate_slow(size_t bytes) {
    return offload::allocate_slow(offload::process_heap, bytes);
  }
  static bool deallocate_slow(void* block) {
    return offload::deallocate_slow(offload::process_heap, block);
  }
  template <class Checks>
  static void* allocate_checked(size_t bytes) {
    return offload::allocate_checked<Checks>(offload::process_heap, bytes);
  }
  template <class Checks>
  static bool deallocate_checked(void* block) {
    return offload::deallocate_checked<Checks>(offload::process_heap, block);
  }
  static void* allocate_aligned(size_t bytes, size_t alignment) {
    return offload::allocate_aligned(offload::process_heap, bytes, alignment);
  }
  static void* allocate_zeroed(size_t bytes) {
    return offload::allocate_zeroed(offload::process_heap, bytes);
  }
  static void* reallocate(void* block, size_t bytes) {
    return offload::reallocate(offload::process_heap, block, bytes);
  }
  static size_t usable_size(const void* block) {
    return offload::usable_size(offload::process_heap, block);
  }
  static bool owns(const void* block) { return offload::owns(offload::process_heap, block); }
  static void keep_to_slow_paths() { offload::keep_to_slow_paths(offload::process_heap); }
  static bool trim(size_t) { return offload::trim(offload::process_heap); }
  static void set_trim_threshold(int value) {
    // Either is how programs ask that nothing goes.
    const bool keeps = value < 0 || value == INT_MAX;
    offload::Purger::set_floor(offload::process_heap,
                               keeps ? offload::kKeepAll : static_cast<size_t>(value));
    if (keeps) offload::prepare_for_no_faults(offload::process_heap);
  }
  static struct mallinfo2 info() { return preload::info(offload::process_heap); }
  static int print_info(int options, FILE* stream) {
    return preload::print_info(offload::process_heap, options, stream);
  }
  static void print_stats() { preload::print_stats(offload::process_heap); }
  static size_t deallocate_run(void* const* blocks, size_t count) {
    return offload::deallocate_run(offload::process_heap, blocks, count);
  }
  static void install_fork_handlers() { offload::install_fork_handlers(); }
};

struct BackgroundThread {
  static bool stop() { return offload::stop_for_change(offload::process_heap); }
  static void start_early() {
    if (offload::open_runtime(offload::process_heap))
      offload::start_server_early(offload::process_heap);
  }
  static void reconsider() { offload::reconsider_server(offload::process_heap); }
  static void start_none(bool forks_too) {
    offload::start_no_server(offload::process_heap, forks_too);
  }
  static bool at_home() { return offload::at_home(offload::process_heap); }
  static void identity_changed(bool of_all) {
    offload::note_changed_identity(offload::process_heap, of_all);
  }
  static void unreadable_changed(const sys::SystemCall&) { identity_changed(false); }
  static void capabilities_changed(bool of_bounding_set) {
    offload::note_changed_capabilities(offload::process_heap, of_bounding_set);
  }
};
static_assert(IsBackgroundThread<BackgroundThread>);

struct PageOwner {
  static void note_flags(const void* start, size_t bytes) {
    offload::note_changed_pages(offload::process_heap, start, bytes, native::Change::kFlags);
  }
  static void note_mapping(const void* start, size_t bytes) {
    offload::note_changed_pages(offload::process_heap, start, bytes, native::Change::kMapping);
  }
  static void about_to_move(const void* start, size_t bytes) {
    offload::join_pages_to_move(offload::process_heap, start, bytes);
  }
  static void note_mlockall(bool locked) { offload::note_mlockall(offload::process_heap, locked); }
  static void note_unseen() { offload::note_unseen_changes(offload::process_heap); }
  static void watch(bool (*are_set)(), bool (*discard)(void*, size_t),
                    bool (*unmap)(void*, size_t)) {
    offload::use_page_hooks({are_set, discard, unmap});
  }
};
static_assert(IsPageOwner<PageOwner>);

// As the library is loaded, and as the process ends.
struct Process {
  static void begin() {
    offload::install_fork_handlers();
    observe::plan_exit_report(offload::process_heap);
    if (observe::keep_page_fresh(offload::process_heap))
      pthread_atfork(nullptr, nullptr, [] { observe::renew_page_in_child(offload::process_heap); });
  }
  static void end() { observe::write_exit_report(offload::process_heap); }
  // Once it has begun.
  static const offload::Options& options() { return offload::process_heap.options; }
};

}  // namespace mmt::abi
