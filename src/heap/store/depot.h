#pragma once
// The native depot is where blocks come from and where surplus goes back, in address order. It
// holds its parts, the lock under which they are, and the region that all of them share. A caller
// of a part names the part.
//
// Calls with a LockToken want the depot lock held by the caller. They are short and make no system
// call, so that they find no memory beyond what is mapped. The others are lock-free, and any thread
// may call them at any time, also in a signal handler. Those that carve map more. Nothing here ever
// writes user memory. A null result means that no memory can be had; nothing has changed then. A
// depot of all zero bits is not open.
#include <cstddef>

#include <mmt/core/compiler.h>
#include <mmt/sync/try_lock.h>

#include "heap/store/depot_usage.h"
#include "heap/store/free_runs.h"
#include "heap/store/large_growth.h"
#include "heap/store/large_runs.h"
#include "heap/store/lock_token.h"
#include "heap/store/noted_changes.h"
#include "heap/store/own_mappings.h"
#include "heap/store/prepared_memory.h"
#include "heap/store/purging.h"
#include "heap/store/region.h"
#include "heap/store/returned_blocks.h"
#include "heap/store/seams.h"
#include "heap/store/single_blocks.h"
#include "heap/store/size_class.h"
#include "heap/store/spans.h"
#include "heap/store/tally.h"
#include "heap/store/thinning.h"

namespace mmt::store {

class Depot {
 public:
  using Lock = sync::TryLock<>;

  // Call it once, before anything else; see Region::open. False when no memory can be had.
  bool open(bool huge_pages, Slot first = 0);

  Region& region() { return region_; }
  Budget& budget() { return region_.budget(); }
  Seams& seams() { return seams_; }
  Lock& lock() { return lock_; }

  // These hold small blocks.
  Spans& spans() { return spans_; }
  SingleBlocks& singles() { return singles_; }
  ReturnedBlocks& returned() { return returned_; }
  Thinning& thinning() { return thinning_; }
  // These hold large blocks.
  LargeRuns& large() { return large_; }
  LargeGrowth& growth() { return growth_; }
  OwnMappings& mapped() { return mapped_; }
  // These are free memory, and all memory.
  FreeRuns& runs() { return runs_; }
  Purging& purging() { return purging_; }
  PreparedMemory& prepared() { return prepared_; }
  NotedChanges& changes() { return changes_; }
  Tally& tally() { return tally_; }

  // See FreeRuns::keep_memory; the depot's own tables stay resident, too. Any thread, also before
  // open.
  void keep_memory(bool keep);

  void measure(LockToken lock, DepotUsage* usage);
  DepotUsage usage(LockToken lock) {
    DepotUsage usage;
    measure(lock, &usage);
    return usage;
  }
  // Free blocks of class `c` in the depot.
  size_t free_blocks(LockToken lock, SizeClass c) const {
    return spans_.free_blocks(lock, c) + singles_.free_blocks(lock, c);
  }

  // --- fork: with signals blocked ---

  // The lock's holder is about to fork: when this returns, no thread is mapping, and until
  // end_fork only the holder can. In between it may use all calls.
  void begin_fork(LockToken) { region_.hold_mapping(); }
  // The parent calls it.
  void end_fork(LockToken) { region_.release_mapping(); }
  // The child, whatever the state of its parent was: nobody holds the lock, nobody maps.
  void reset_in_child();

 private:
  // What a part writes without the lock lies on lines of its own in it, apart from all else.
  Region region_;
  Seams seams_;
  Purging purging_;
  Thinning thinning_;
  alignas(core::kNoSharing) Lock lock_;
  // Written under the lock, but for the tally and what was prepared.
  alignas(core::kNoSharing) FreeRuns runs_;
  OwnMappings mapped_;
  LargeGrowth growth_;
  Spans spans_;
  SingleBlocks singles_;
  Tally tally_;
  NotedChanges changes_;
  PreparedMemory prepared_;
  // These are written without it.
  LargeRuns large_;
  ReturnedBlocks returned_;
};

}  // namespace mmt::store
