#pragma once
// `mmt stats PID` reads the statistics page out of a running program from outside, through the
// symbol mmt_stats_page of libmmt.so. `mmt run --stats` finds the page in a file when the program
// has ended. docs/statistics.md says how true each figure is.
//
// The symbol mmt_stats_peaks points at the peaks of the heap: the page is as old as the last look
// at the heap, they are not.
//
// Reading: a snapshot is good when `sequence` was even before and is the same after. A reader takes
// as many values as `count` says, at most those it knows. The number kStatsVersion grows when a
// field changes its meaning or place; fields are only ever added at the end.
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "interprocess/depot_peaks.h"

namespace mmt::observe {

inline constexpr uint32_t kStatsVersion = 1;
inline constexpr char kStatsMagic[8] = {'M', 'M', 'T', 'S', 'T', 'A', 'T', '\0'};
inline constexpr size_t kStatsPageValues = 64;
// A run's folder is PARENT/mmt-stats-XXXXXX/TOLD/, for its owner alone. A process of another user,
// who may not write there, calls its file PARENT/mmt-stats-XXXXXX.PROCESS.TIME.
inline constexpr char kRunFolderPrefix[] = "mmt-stats-";
inline constexpr size_t kToldBytes = 16;

struct StatField {
  const char* name;
  const char* unit;  // bytes | count | ns | flag
  const char* help;
};

// They are in the order of the page's values.
enum class Stat : uint32_t {
  kInUseBytes,
  kInUseBlocks,
  kSmallInUseBytes,
  kSmallInUseBlocks,
  kLargeInUseBytes,
  kLargeInUseBlocks,
  kMappedBytes,
  kHeapBytes,
  kFreeBytes,
  kFreeDirtyBytes,
  kSpanBytes,
  kSpans,
  kSpareBytes,
  kCachedBytes,
  kCachedBlocks,
  kSurplusBytes,
  kSurplusBlocks,
  kMetadataBytes,
  kClients,
  kClientsLive,
  kRefills,
  kSpansSelf,
  kSpansCarved,
  kFlushes,
  kBlocksFlushed,
  kBlocksReturned,
  kLargeTaken,
  kLargeGiven,
  kServerState,
  kServerCpuNs,
  kServerRounds,
  kServerNaps,
  kServerParks,
  kServerWakes,
  kServerBatches,
  kPrefaultHuge,
  kPrefaultSmall,
  kPrefaultBytes,
  kPrefaultNs,
  kPurges,
  kPurgedBytes,
  kPurgeNs,
  kForkedChild,
  kCollectedNs,
  kHeldBytes,
  kPeakInUseBytes,
  kPeakHeldBytes,
  kMostInUseBytes,
  kChargedBytes,
  kResidentBytes,
  kCount,
};

inline constexpr StatField kStatFields[] = {
    {"in_use_bytes", "bytes",
     "Memory the program holds: small blocks by class size, large ones in pages"},
    {"in_use_blocks", "count", "Blocks the program holds"},
    {"small_in_use_bytes", "bytes", "Of that in blocks up to 256 KiB"},
    {"small_in_use_blocks", "count", "Number of these"},
    {"large_in_use_bytes", "bytes", "Of that in blocks above 256 KiB"},
    {"large_in_use_blocks", "count", "Number of these"},
    {"mapped_bytes", "bytes", "Address space of the heap: the Size of its mappings"},
    {"heap_bytes", "bytes", "Of that ever used: up to the frontier"},
    {"free_bytes", "bytes", "Below the frontier in neither spans nor large blocks"},
    {"free_dirty_bytes", "bytes", "Of that not yet given back to the system"},
    {"span_bytes", "bytes", "In spans, which are cut into small blocks"},
    {"spans", "count", "Number of these"},
    {"spare_bytes", "bytes", "Free blocks of spans that the depot holds"},
    {"cached_bytes", "bytes", "Free blocks that threads hold: caches and the spans in use"},
    {"cached_blocks", "count", "Number of these"},
    {"surplus_bytes", "bytes", "Freed blocks on their way to the depot"},
    {"surplus_blocks", "count", "Number of these"},
    {"metadata_bytes", "bytes", "Tables and thread records (usable, not all touched)"},
    {"clients", "count", "Thread records ever made"},
    {"clients_live", "count", "Of these in use by a thread now"},
    {"refills", "count", "Times a thread filled an empty cache from its span"},
    {"spans_self", "count", "Spans a thread fetched itself from the depot"},
    {"spans_carved", "count", "Spans a thread took at the frontier, the depot being busy"},
    {"flushes", "count", "Times a thread sent surplus blocks away"},
    {"blocks_flushed", "count", "Blocks sent away"},
    {"blocks_returned", "count", "Of these through bitmaps, the channel being full"},
    {"large_taken", "count", "Large blocks allocated"},
    {"large_given", "count", "Large blocks freed"},
    {"server_state", "flag",
     "Memory thread: 0 not started, 1 starting, 2 running, 3 away, 4 failed, 5 keeping house"},
    {"server_cpu_ns", "ns", "CPU time of the memory thread"},
    {"server_rounds", "count", "Rounds of the memory thread that found work"},
    {"server_naps", "count", "Short sleeps of the memory thread"},
    {"server_parks", "count", "Times the memory thread went to sleep until called"},
    {"server_wakes", "count", "Times it found work right after such a sleep"},
    {"server_batches", "count", "Batches of surplus the memory thread took back"},
    {"prefault_huge", "count", "Huge pages made resident ahead of use"},
    {"prefault_small", "count", "Steps of small pages made resident ahead of use"},
    {"prefault_bytes", "bytes", "Memory made resident ahead of use"},
    {"prefault_ns", "ns", "Time the memory thread spent on that"},
    {"purges", "count", "Runs of free memory given back to the system"},
    {"purged_bytes", "bytes",
     "Free memory given back to the system, whether it was touched or not"},
    {"purge_ns", "ns", "Time spent on that"},
    {"forked_child", "flag", "1: the process is a fork's child and inherited the heap"},
    {"collected_ns", "ns", "When these figures were collected, on the monotonic clock"},
    {"held_bytes", "bytes",
     "Memory that MMT holds: spans, large blocks, what is not given back yet"},
    {"peak_in_use_bytes", "bytes", "Most that the program held when figures were collected"},
    {"peak_held_bytes", "bytes", "Most that MMT held at any time"},
    {"most_in_use_bytes", "bytes",
     "The program never held more: most that was in spans and large blocks"},
    {"charged_bytes", "bytes", "Of the heap's address space what may be in memory, at most"},
    {"resident_bytes", "bytes", "Of that in memory, as the kernel said at the end; 0 before"},
};
static_assert(std::size(kStatFields) == static_cast<size_t>(Stat::kCount));
static_assert(std::size(kStatFields) <= kStatsPageValues);

struct StatsPage {
  char magic[8];
  uint32_t version;
  uint32_t count;
  uint64_t sequence;  // odd while it is written
  uint64_t values[kStatsPageValues];
};

// The page of one process in a file of its own (option stats=FOLDER/). What is there when the
// process dies, of whatever, stays. Its name ends in PROCESS.TIME: `process` and `opened_ns`.
struct PageFile {
  StatsPage page;
  uint64_t inherited[kStatsPageValues];  // a fork's child: its values at that moment; else zero
  uint32_t process;
  uint32_t parent;
  uint64_t opened_ns;  // CLOCK_MONOTONIC
  uint64_t ended_ns;   // 0 until the process ends by exit: the values are the last ones then
  char program[16];    // its name as the kernel knows it, ended by zero
  // As most_in_use_bytes and peak_held_bytes, but kept while memory is taken: right at any end.
  store::DepotPeaks peaks;
  char told[kToldBytes];  // TOLD, by which a run knows who took part in it; else zero
};

}  // namespace mmt::observe
