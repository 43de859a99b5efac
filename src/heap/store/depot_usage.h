#pragma once
// What a depot has, in numbers, as a caller asks for them at once.
#include <cstddef>
#include <cstdint>

#include "interprocess/depot_peaks.h"

namespace mmt::store {

struct DepotUsage {
  size_t frontier_bytes;    // address space ever used
  size_t free_slot_bytes;   // of that, in free slots
  size_t dirty_free_bytes;  // of that, still holding memory
  size_t clean_free_bytes;  // of that, holding none, and in reach of no huge page with what does
  size_t large_bytes;       // in large blocks, in whole pages
  size_t large_blocks;
  size_t large_bytes_peak;  // most at any time
  size_t large_blocks_peak;
  uint64_t large_taken;  // large blocks ever made; one that is moved to grow counts again
  uint64_t large_given;  // and given back
  size_t span_bytes;     // in spans of small blocks
  size_t spans;
  size_t own_mapping_bytes;  // of large blocks, in mappings of their own
  DepotPeaks peaks;
};

}  // namespace mmt::store
