#include "heap/store/tally.h"

namespace mmt::store {
namespace {

// `amount` may be negative, modulo 2^64.
void add_with_peak(size_t* value, size_t amount, size_t* peak) {
  raise_peak(peak, __atomic_add_fetch(value, amount, __ATOMIC_RELAXED));
}

}  // namespace

void Tally::change_used(size_t before, size_t bytes) {
  const size_t used = __atomic_add_fetch(&used_bytes_, bytes - before, __ATOMIC_RELAXED);
  if (bytes <= before) return;
  raise_peak(&peaks_.used, used);
  // Acquire: whoever made the copy has filled it.
  if (DepotPeaks* const copy = __atomic_load_n(&peaks_copy_, __ATOMIC_ACQUIRE))
    raise_peak(&copy->used, used);
  note_held();
}

void Tally::note_held() {
  const size_t held = __atomic_load_n(&used_bytes_, __ATOMIC_RELAXED) + runs_->dirty_bytes();
  raise_peak(&peaks_.held, held);
  // Acquire: as above.
  if (DepotPeaks* const copy = __atomic_load_n(&peaks_copy_, __ATOMIC_ACQUIRE))
    raise_peak(&copy->held, held);
}

void Tally::add_large(size_t bytes) {
  change_large(0, bytes);
  add_with_peak(&large_blocks_, 1, &large_blocks_peak_);
  __atomic_fetch_add(&large_taken_, 1, __ATOMIC_RELAXED);
}

void Tally::change_large(size_t before, size_t bytes) {
  add_with_peak(&large_bytes_, bytes - before, &large_bytes_peak_);
  change_used(before, bytes);
}

void Tally::remove_large(size_t bytes) {
  change_large(bytes, 0);
  __atomic_fetch_sub(&large_blocks_, 1, __ATOMIC_RELAXED);
}

void Tally::measure(DepotUsage* usage) const {
  usage->large_bytes = __atomic_load_n(&large_bytes_, __ATOMIC_RELAXED);
  usage->large_blocks = __atomic_load_n(&large_blocks_, __ATOMIC_RELAXED);
  usage->large_bytes_peak = __atomic_load_n(&large_bytes_peak_, __ATOMIC_RELAXED);
  usage->large_blocks_peak = __atomic_load_n(&large_blocks_peak_, __ATOMIC_RELAXED);
  usage->large_taken = __atomic_load_n(&large_taken_, __ATOMIC_RELAXED);
  usage->large_given = usage->large_taken - usage->large_blocks;
  usage->peaks = peaks();
}

DepotPeaks Tally::peaks() const {
  return {__atomic_load_n(&peaks_.used, __ATOMIC_RELAXED),
          __atomic_load_n(&peaks_.held, __ATOMIC_RELAXED)};
}

void Tally::copy_peaks_to(DepotPeaks* copy) {
  // Release: pairs with the acquire of change_used.
  __atomic_store_n(&peaks_copy_, copy, __ATOMIC_RELEASE);
  if (copy == nullptr) return;
  const DepotPeaks now = peaks();
  raise_peak(&copy->used, now.used);
  raise_peak(&copy->held, now.held);
}

void Tally::begin_anew(const FreeRuns& runs) {
  peaks_copy_ = nullptr;
  peaks_ = {used_bytes_, used_bytes_ + runs.dirty_bytes()};
}

}  // namespace mmt::store
