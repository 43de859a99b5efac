// The memory thread beside calls that confine the program, change its user, or how it is scheduled;
// and the heap beside calls that change pages.
#include "abi/background_thread.h"
#include "abi/page_calls.h"
#include "abi/page_owner.h"
#include "offload/changed_pages.h"
#include "offload/page_hooks.h"
#include "offload/rights.h"
#include "offload/server_thread.h"

namespace mmt::abi {

struct BackgroundThread {
  static bool stop() { return offload::stop_for_change(); }
  static void start_early() { offload::start_server_early(); }
  static void reconsider() { offload::reconsider_server(); }
  static void start_none(bool forks_too) { offload::start_no_server(forks_too); }
  static bool at_home() { return offload::at_home(); }
  static void identity_changed(bool of_all) { offload::note_changed_identity(of_all); }
  static void unreadable_changed(const sys::SystemCall&) { identity_changed(false); }
  static void capabilities_changed(bool of_bounding_set) {
    offload::note_changed_capabilities(of_bounding_set);
  }
};
static_assert(IsBackgroundThread<BackgroundThread>);

struct PageOwner {
  static void note_flags(const void* start, size_t bytes) {
    offload::note_changed_pages(start, bytes, native::Change::kFlags);
  }
  static void note_mapping(const void* start, size_t bytes) {
    offload::note_changed_pages(start, bytes, native::Change::kMapping);
  }
  static void about_to_move(const void* start, size_t bytes) {
    offload::join_pages_to_move(start, bytes);
  }
  static void note_mlockall(bool locked) { offload::note_mlockall(locked); }
  static void note_unseen() { offload::note_unseen_changes(); }
  static void watch(bool (*are_set)(), bool (*discard)(void*, size_t),
                    bool (*unmap)(void*, size_t)) {
    offload::use_page_hooks({are_set, discard, unmap});
  }
};
static_assert(IsPageOwner<PageOwner>);
using SeenCalls = PageCalls<PageOwner>;

}  // namespace mmt::abi

#include "abi/confinement.inc"
#include "abi/credentials.inc"
#include "abi/limits.inc"
#include "abi/own_pages.inc"
#include "abi/scheduling.inc"
