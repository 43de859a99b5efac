// The books of DebugHeap: every block in use, in quarantine or freed not long ago, and the checks
// of them. Knows no heap: blocks are told to it, and `caller` where from (see place_from(); null:
// the end of the heap). Each fault is reported once, as what was overwritten is mended. One thread
// may use it.
#pragma once

#include <bit>

#include <mmt/core/compiler.h>
#include <mmt/layers/observe/address_map.h>
#include <mmt/layers/observe/debug_record.h>
#include <mmt/layers/observe/fault_report.h>
#include <mmt/layers/observe/place_table.h>

namespace mmt::layers {

template <class Reporter>
class DebugLedger {
 public:
  enum class Entry { kMade, kNoMemory, kGivenTwice };

  // A block of that size has been made, `front` bytes (a power of two) behind the super-heap's.
  Entry enter(void* block, size_t front, size_t size, const void* caller) {
    if (records_.is_full() && freed_ > records_.count() / 2) forget_long_freed();
    DebugRecord* record = records_.insert(block);
    if (record == nullptr) return Entry::kNoMemory;
    if (record->is_live() || record->state == BlockState::kQuarantined) {
      tell(FaultKind::kGivenTwice, block, record, caller);
      return Entry::kGivenTwice;
    }
    if (record->state == BlockState::kFreed) --freed_;
    *record = {};
    record->size = size;
    record->allocated = places_.number_of_place_from(caller);
    record->front_log2 = static_cast<uint8_t>(std::countr_zero(front));
    record->state = BlockState::kLive;
    count(*record, 1, size);
    detail::write_guard(static_cast<char*>(block) - detail::kGuard);
    detail::write_guard(static_cast<char*>(block) + size);
    detail::fill(block, size, detail::kFreshFill);
    return Entry::kMade;
  }

  // Null: it is no block in use.
  DebugRecord* find_live(const void* block) const {
    DebugRecord* record = records_.find(block);
    return record != nullptr && record->is_live() ? record : nullptr;
  }
  void resize(void* block, DebugRecord& record, size_t size) {
    count(record, 0, size - record.size);
    record.size = size;
    detail::write_guard(static_cast<char*>(block) + size);
  }
  // The block is freed; it stays the heap's until it leaves the quarantine.
  void retire(void* block, DebugRecord& record, const void* caller) {
    count(record, size_t{0} - 1, size_t{0} - record.size);
    detail::fill(block, record.size, detail::kFreedFill);
    record.freed = places_.number_of_place_from(caller);
    record.state = BlockState::kQuarantined;
    quarantined_ += record.size + 2 * detail::kGuard;
    (last_ == nullptr ? first_ : records_.find(last_)->next) = block;
    last_ = block;
  }
  size_t quarantined() const { return quarantined_; }
  // What the super-heap gets back, for the block that has been freed the longest.
  void* leave_quarantine(const void* caller) {
    auto* const block = static_cast<char*>(const_cast<void*>(first_));
    DebugRecord& record = *records_.find(block);
    check(block, record, caller);
    quarantined_ -= record.size + 2 * detail::kGuard;
    first_ = record.next;
    if (first_ == nullptr) last_ = nullptr;
    record.state = BlockState::kFreed;
    record.freed_in_odd_era = is_odd_era_;
    ++freed_;
    return block - record.front();
  }
  bool has_quarantined() const { return first_ != nullptr; }
  void forget() {
    records_.forget();
    places_.reset_tallies();
    first_ = last_ = nullptr;
    quarantined_ = freed_ = 0;
  }

  void report_wrong_free(const void* at, const void* caller) {
    if (const DebugRecord* record = records_.find(at)) {
      return tell(FaultKind::kDoubleFree, at, record, caller, at);
    }
    const void* around = nullptr;
    const DebugRecord* found = nullptr;
    records_.for_each([&](const void* block, const DebugRecord& record) {
      if (!record.is_live() || !record.contains(block, at)) return;
      around = block;
      found = &record;
    });
    const bool is_within = found != nullptr;
    tell(is_within ? FaultKind::kInteriorFree : FaultKind::kInvalidFree, around, found, caller, at);
  }
  void report_wrong_size(const void* block, const DebugRecord& record, size_t given,
                         const void* caller) {
    tell(FaultKind::kWrongSize, block, &record, caller, nullptr, given);
  }
  void report_misaligned(const void* block, const DebugRecord& record, const void* caller) {
    tell(FaultKind::kMisaligned, block, &record, caller);
  }

  // How many faults it found.
  size_t check(const void* at, DebugRecord& record, const void* caller) {
    auto* const block = static_cast<char*>(const_cast<void*>(at));
    const void* const before = detail::mend_guard(block - detail::kGuard);
    const void* const behind = detail::mend_guard(block + record.size);
    size_t found = 0;
    const auto tell_if = [&](const void* changed, FaultKind kind) {
      if (changed == nullptr) return;
      ++found;
      tell(kind, block, &record, caller, changed);
    };
    const bool is_live = record.is_live();
    tell_if(before, is_live ? FaultKind::kUnderrun : FaultKind::kUseAfterFree);
    if (!is_live) {
      tell_if(detail::mend_freed(block, record.size), FaultKind::kUseAfterFree);
    }
    tell_if(behind, is_live ? FaultKind::kOverrun : FaultKind::kUseAfterFree);
    return found;
  }
  size_t check_all(const void* caller) {
    size_t found = 0;
    records_.for_each([&](const void* block, DebugRecord& record) {
      if (record.state != BlockState::kFreed) found += check(block, record, caller);
    });
    return found;
  }
  // One report for each place of allocation; how many blocks there are.
  size_t report_leaks() {
    size_t leaked = 0;
    ++leak_reports_;
    records_.for_each([&](const void* block, const DebugRecord& record) {
      Tally& tally = places_.tally(record.allocated);
      if (!record.is_live() || tally.reported == leak_reports_) return;
      tally.reported = leak_reports_;
      leaked += tally.blocks;
      FaultReport report = about(FaultKind::kLeak, block, &record);
      report.blocks = tally.blocks;
      report.bytes = tally.bytes;
      reporter_(static_cast<const FaultReport&>(report));
    });
    return leaked;
  }

  Reporter& reporter() { return reporter_; }

 private:
  struct Tally {  // of blocks in use
    size_t blocks;
    size_t bytes;
    size_t reported;  // in which report of leaks
  };

  void count(const DebugRecord& record, size_t blocks, size_t bytes) {
    Tally& tally = places_.tally(record.allocated);
    tally.blocks += blocks;
    tally.bytes += bytes;
  }
  // Those that were freed before the last time, so that the last ones are always remembered.
  MMT_NOINLINE void forget_long_freed() {
    const auto is_old = [&](const DebugRecord& record) {
      return record.state == BlockState::kFreed && record.freed_in_odd_era != is_odd_era_;
    };
    const size_t before = records_.count();
    records_.erase_if(is_old);
    freed_ -= before - records_.count();
    is_odd_era_ = !is_odd_era_;
  }

  FaultReport about(FaultKind kind, const void* block, const DebugRecord* record) const {
    FaultReport report;
    report.kind = kind;
    if (record == nullptr) return report;
    report.block = block;
    report.size = report.bytes = record->size;
    report.allocated = places_.place(record->allocated);
    report.freed = places_.place(record->freed);
    return report;
  }
  MMT_COLD void tell(FaultKind kind, const void* block, const DebugRecord* record,
                     const void* caller, const void* at = nullptr, size_t given = 0) {
    FaultReport report = about(kind, block, record);
    report.at = at;
    report.given = given;
    report.noticed = place_from(caller);
    reporter_(static_cast<const FaultReport&>(report));
  }

  AddressMap<DebugRecord> records_;
  PlaceTable<Tally> places_;
  const void* first_ = nullptr;  // of the quarantine, the longest freed
  const void* last_ = nullptr;
  size_t quarantined_ = 0;
  size_t freed_ = 0;  // records of what has left the quarantine
  size_t leak_reports_ = 0;
  bool is_odd_era_ = false;
  [[no_unique_address]] Reporter reporter_;
};

}  // namespace mmt::layers
