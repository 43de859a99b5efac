#pragma once
// The tally counts what is in use of a depot's memory, and the most that ever was. The other parts
// report to it.
//
// Any thread may call these at any time, in a signal handler too; no call can fail. All numbers are
// for statistics, hence relaxed. Memory in use grows only by these calls, so its peak is exact.
// Held memory also grows where the slots of a block become free, which are more than the pages that
// were asked for. A caller that gives slots to the slot map notes this growth.
#include <cstddef>
#include <cstdint>

#include "heap/store/depot_usage.h"
#include "heap/store/free_runs.h"
#include "interprocess/depot_peaks.h"

namespace mmt::store {

class Tally {
 public:
  // Once, before all calls but those about peaks.
  void open(const FreeRuns* runs) { runs_ = runs; }

  // A span or large block has so many bytes now, and had so many before.
  void change_used(size_t before, size_t bytes);
  // Free slots may hold more than before.
  void note_held();

  // A large block comes or goes, before its slots count as free; or it is another size now.
  void add_large(size_t bytes);
  void remove_large(size_t bytes);
  void change_large(size_t before, size_t bytes);

  // What there is of large blocks, and all peaks.
  void measure(DepotUsage* usage) const;

  // The peaks are kept at `copy`, too, which outlives the use of it: until another call, or
  // begin_anew.
  void copy_peaks_to(DepotPeaks* copy);
  // For a reader in another process: they change whenever memory is taken.
  const DepotPeaks* place_of_peaks() const { return &peaks_; }
  // In the child of a fork: new peaks, from what there is, without a copy.
  void begin_anew(const FreeRuns& runs);

 private:
  DepotPeaks peaks() const;

  const FreeRuns* runs_ = nullptr;
  size_t large_bytes_ = 0;
  size_t large_blocks_ = 0;
  size_t large_bytes_peak_ = 0;
  size_t large_blocks_peak_ = 0;
  uint64_t large_taken_ = 0;
  size_t used_bytes_ = 0;  // in spans and large blocks
  DepotPeaks peaks_;
  DepotPeaks* peaks_copy_ = nullptr;
};

}  // namespace mmt::store
