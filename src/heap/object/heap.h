#pragma once
// A heap: depot, clients, memory thread, options. All zero bits at first, it opens itself at the
// first allocation, in whatever context that happens. A process has one (process_heap.h); what
// works on it is given it, or holds a reference.
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <mmt/sync/lock_queue.h>
#include <mmt/sync/opening.h>
#include <mmt/sync/parker.h>
#include <mmt/sync/registry.h>
#include <mmt/sync/server_role.h>

#include "heap/object/client.h"
#include "heap/object/counters.h"
#include "heap/object/cpu_cache.h"
#include "heap/object/keeper_state.h"
#include "heap/object/samples.h"
#include "heap/object/uninspected.h"
#include "heap/object/watermarks.h"
#include "heap/store/depot.h"
#include "interprocess/heap_options.h"

namespace mmt::heap {

inline constexpr uint32_t kMaxClients = 1024;
// As a bound of free memory: none of it goes back.
inline constexpr size_t kKeepAll = ~size_t{0};

struct Heap;
// Looks at the heap at `now`, and returns when it wants to do so again. It is called with the depot
// lock not held; `self` is the caller's identity for it. The memory thread may call it. `urgent`:
// also when it has looked lately.
using Observer = uint64_t (*)(Heap& heap, uint32_t self, uint64_t now, bool urgent);

struct Heap {
  store::Depot depot;
  Options options;
  bool repeatable;  // a program run again is to have its blocks at the same addresses

  // These are read often, and written seldom.
  alignas(core::kNoSharing) sync::Opening<> opening;
  sync::ServerRole<> server;
  std::atomic<bool> forking;            // a fork holds the depot lock
  std::atomic<bool> slow_paths_only;    // see keep_to_slow_paths()
  std::atomic<uint32_t> server_thread;  // its id, 0 when there is none

  // See thrift.h.
  std::atomic<bool> thrifty;
  std::atomic<uint64_t> many_held_ns;  // when many were last seen to hold something
  bool can_sweep;                      // the kernel can restart sequences: see sweeper.h
  uint32_t cpus;                       // usable, when the heap was opened
  alignas(core::kNoSharing) std::atomic<uint32_t> holders;  // clients in which something may be

  std::atomic<size_t> widened;  // bytes that thrifty clients' caches may hold beyond their first
  alignas(core::kNoSharing) sync::LockQueue<> depot_queue;  // of thrifty threads
  // The depot lock's holder has these three:
  // - stepping: the holder is amid a step, and does not just keep the lock for a fork.
  // - nested_forks: so many forks beyond the first are under way.
  // - caches_held_for_fork: bit i says that cache i of cpu_caches is held for a fork.
  bool stepping;
  uint32_t nested_forks;
  uint64_t caches_held_for_fork;
  CpuCache cpu_caches[kMostCpuCaches];

  sync::Registry<Client, kMaxClients> clients;

  alignas(core::kNoSharing) std::atomic<uint64_t> spans_fetched;  // bytes: volume so far
  std::atomic<uint64_t> freed_unserved;  // the same of what was given back, while none was started
  KeeperState keeper;
  // Starts the memory thread if that is due; set as the heap opens.
  void (*starter)(Heap& heap);
  alignas(core::kNoSharing) sync::Parker<> parker;
  Watermarks watermarks;

  Uninspected uninspected;

  // Bytes of fresh memory taken since a client that tried for the depot lock last had it, as it was
  // busy.
  alignas(core::kNoSharing) std::atomic<size_t> taken_past_lock;

  Samples samples;
  std::atomic<uint64_t> page_price_ns;  // see page_price.h; 0: not measured yet

  ServerCounters server_counters;

  PurgeCounters purges;
  std::atomic<uint32_t> refused_moves;   // of pages from one place to another
  std::atomic<size_t> untelling_bytes;   // of fresh large blocks: see note_growth
  std::atomic<bool> program_gives_back;  // see give_back_as_told
  std::atomic<bool> mlockall;            // see note_mlockall
  std::atomic<bool> unseen_changes;      // see note_unseen_changes
  std::atomic<size_t> free_floor;        // bytes plus 1, 0 for the default: see Purger::set_floor
  // Statistics, where they are wanted: see observe/stats.h.
  std::atomic<Observer> observer;
  std::atomic<uint64_t> direct_volume;  // bytes that went either way without a memory thread

  // The program wants its memory kept: see Purger::set_floor. Relaxed: it is a switch.
  bool keeps_all() const { return free_floor.load(std::memory_order_relaxed) == kKeepAll; }
  bool is_open() const { return opening.state() == opening.kOpen; }
  bool server_running() const { return server.is_running(); }
  // Tells the memory thread that there is work, or, where it only keeps house, that there may be
  // memory to give back. Awake it looks at every channel by itself, and it sleeps through this
  // where its sleep has an end.
  void notify() { parker.wake_if_parked(); }
  // The same, also while it sleeps for some time: a watermark was passed.
  void wake() { parker.wake(); }
};

}  // namespace mmt::heap
