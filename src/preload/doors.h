#pragma once
// The doors of libmmt.so: what its names, and the calls beside which it stands, are over the
// process's heap. This header and process_heap.h's two files alone name that.
#include <pthread.h>

#include <cstddef>

#include "confine/background_thread.h"
#include "confine/page_owner.h"
#include "heap/keeper/rights.h"
#include "heap/keeper/server_thread.h"
#include "heap/object/server_orders.h"
#include "heap/pages/changed_pages.h"
#include "heap/pages/page_hooks.h"
#include "heap/process/opening.h"
#include "heap/process/process_heap.h"
#include "names/process_heap.h"
#include "observe/exit_report.h"
#include "observe/stats.h"
#include "preload/process_heap.h"

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
    ProcessHeap::begin();
    observe::plan_exit_report(heap::process_heap);
    if (observe::keep_page_fresh(heap::process_heap))
      pthread_atfork(nullptr, nullptr, [] { observe::renew_page_in_child(heap::process_heap); });
  }
  static void end() { observe::write_exit_report(heap::process_heap); }
  // Once it has begun.
  static const heap::Options& options() { return heap::process_heap.options; }
};

}  // namespace mmt::names
