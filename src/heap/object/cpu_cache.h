#pragma once
// The cache of a CPU, as the heap has them: see cpu_caches.h.
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/sync/try_lock.h>

#include "heap/store/size_class.h"

namespace mmt::heap {

// One holds at most so many bytes of blocks.
inline constexpr size_t kMostInCpuCache = size_t{512} << 10;

struct CpuCache {
  alignas(core::kNoSharing) sync::TryLock<> lock;
  bool used;       // since the sweeper's last look
  size_t bytes;    // in its blocks
  void** entries;  // of all classes; nullptr before its first use
  uint32_t counts[store::kClassCount];
};

inline constexpr uint32_t kMostCpuCaches = 64;

}  // namespace mmt::heap
