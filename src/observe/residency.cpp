#include "observe/residency.h"

#include <algorithm>

#include <mmt/sys/pages.h>

#include "heap/object/client.h"
#include "heap/object/cpu_cache.h"
#include "heap/object/depot_guard.h"
#include "heap/object/heap.h"
#include "heap/thread/cpu_caches.h"

namespace mmt::observe {
namespace {

using heap::Heap;

// A slot's: the stack may be small.
constexpr size_t kPagesALook = store::kSlotBytes / sys::kPageSize;

// Counts whole pages. Memory that is not mapped is not resident.
size_t resident_of(const void* start, size_t bytes) {
  size_t pages = 0;
  const auto* const at = static_cast<const char*>(start);
  for (size_t done = 0; done < bytes;) {
    unsigned char resident[kPagesALook];
    const size_t some = std::min(bytes - done, kPagesALook * sys::kPageSize);
    if (sys::look_for_pages(at + done, some, resident))
      for (size_t i = 0; i < some / sys::kPageSize; ++i) pages += resident[i] & 1;
    done += some;
  }
  return pages * sys::kPageSize;
}

size_t resident_of_region(Heap& heap) {
  const store::Region& region = heap.depot.region();
  const size_t end = region.mapped_bytes();
  const size_t first = size_t{region.first()} << store::kSlotShift;
  size_t bytes = 0;
  for (size_t at = first; at < end; at += store::kSlotBytes)
    if (region.class_of(at >> store::kSlotShift) != store::kForeign)
      bytes += resident_of(region.base() + at, store::kSlotBytes);
  region.for_each_table([&](const void* start, size_t size) { bytes += resident_of(start, size); });
  return bytes;
}

}  // namespace

size_t resident_bytes(Heap& heap, uint32_t self) {
  if (!heap.is_open() || heap::is_amid_depot_step(heap, self)) return 0;
  size_t bytes = resident_of_region(heap);
  const uint32_t count = heap.clients.count();
  for (uint32_t i = 0; i < count; ++i)
    if (const heap::Client* client = heap.clients.at(i))
      bytes += resident_of(client, heap::Client::footprint());
  for (const heap::CpuCache& cache : heap.cpu_caches)
    if (cache.entries != nullptr) bytes += resident_of(cache.entries, heap::cpu_cache_bytes());
  const heap::DepotStep lock(heap, self);
  heap.depot.mapped().for_each(
      lock, [&](const void* start, size_t size) { bytes += resident_of(start, size); });
  return bytes;
}

}  // namespace mmt::observe
