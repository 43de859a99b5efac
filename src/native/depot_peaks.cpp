// The depot's peaks. Memory in use grows only here, so its peak is exact. What is held also grows
// where the slots of a block become free, which are more than the pages that were asked for.
#include "native/depot_peaks.h"

#include "native/depot.h"

namespace mmt::native {

void Depot::change_used(size_t before, size_t bytes) {
  const size_t used = __atomic_add_fetch(&used_bytes_, bytes - before, __ATOMIC_RELAXED);
  if (bytes <= before) return;
  raise_peak(&peaks_.used, used);
  // Acquire: whoever made the copy has filled it.
  if (DepotPeaks* const copy = __atomic_load_n(&peaks_copy_, __ATOMIC_ACQUIRE))
    raise_peak(&copy->used, used);
  note_held();
}

void Depot::note_held() {
  const size_t held = __atomic_load_n(&used_bytes_, __ATOMIC_RELAXED) + dirty_free_bytes();
  raise_peak(&peaks_.held, held);
  // Acquire: as above.
  if (DepotPeaks* const copy = __atomic_load_n(&peaks_copy_, __ATOMIC_ACQUIRE))
    raise_peak(&copy->held, held);
}

DepotPeaks Depot::peaks() const {
  return {__atomic_load_n(&peaks_.used, __ATOMIC_RELAXED),
          __atomic_load_n(&peaks_.held, __ATOMIC_RELAXED)};
}

void Depot::copy_peaks_to(DepotPeaks* copy) {
  // Release: pairs with the acquire of change_used.
  __atomic_store_n(&peaks_copy_, copy, __ATOMIC_RELEASE);
  if (copy == nullptr) return;
  const DepotPeaks now = peaks();
  raise_peak(&copy->used, now.used);
  raise_peak(&copy->held, now.held);
}

void Depot::reset_peaks() {
  peaks_copy_ = nullptr;
  peaks_ = {used_bytes_, used_bytes_ + dirty_free_bytes()};
}

}  // namespace mmt::native
