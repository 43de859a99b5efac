// These are the books of ProfileHeap. They have each block's size and place of allocation, and
// their sums now and at the peak. They also have a histogram of sizes, and the places that hold
// most. A block that finds no memory for its record is only counted. The books are for one thread.
#pragma once

#include <bit>
#include <limits>

#include <mmt/core/compiler.h>
#include <mmt/layers/observe/address_map.h>
#include <mmt/layers/observe/place_table.h>

namespace mmt::layers {

class HeapProfile {
 public:
  static constexpr bool kWantsSizes = true;
  // Sizes from 2^c / 2 to 2^c - 1 are class c; size 0 is class 0.
  static constexpr size_t kClasses = std::numeric_limits<size_t>::digits + 1;

  struct Sums {
    size_t blocks = 0;
    size_t requested = 0;  // bytes
    size_t given = 0;      // bytes, by the super-heap, where it tells; requested, where not
  };
  struct Class {
    size_t blocks = 0;  // now
    size_t ever = 0;
  };
  struct PlaceSums {
    size_t blocks;  // now
    size_t bytes;
    size_t ever;
  };

  MMT_NOINLINE void gave(void* block, size_t bytes, size_t, size_t has) {
    ++mallocs_;
    Record* record = records_.insert(block);
    if (record == nullptr) return lose();
    *record = {bytes, has > bytes ? has : bytes,
               places_.number_of_place_from(__builtin_return_address(0))};
    add(*record);
    ++classes_[class_of(bytes)].ever;
    ++places_.tally(record->place).ever;
  }
  void refused(size_t, size_t) { ++failures_; }
  MMT_NOINLINE void takes(void* block, size_t, size_t) {
    ++frees_;
    Record* record = records_.find(block);
    if (record == nullptr) return;
    subtract(*record);
    records_.erase(block);
  }
  MMT_NOINLINE void grew(void* block, size_t bytes, size_t, size_t has) {
    Record* record = records_.find(block);
    if (record == nullptr || bytes <= record->requested) return;
    subtract(*record);
    record->requested = bytes;
    record->given = has > bytes ? has : bytes;
    add(*record);
  }
  void cleared() {
    records_.for_each([&](const void*, const Record& record) { subtract(record); });
    records_.forget();
  }

  const Sums& now() const { return now_; }
  const Sums& peak() const { return peak_; }  // when most bytes were requested
  size_t mallocs() const { return mallocs_; }
  size_t frees() const { return frees_; }
  size_t failures() const { return failures_; }
  size_t unrecorded() const { return unrecorded_; }
  const Class& size_class(size_t c) const { return classes_[c]; }
  static size_t class_of(size_t bytes) { return static_cast<size_t>(std::bit_width(bytes)); }

  // visit(place, sums) for the places with most bytes in use, at most that many, largest first.
  template <class Visit>
  void for_top_places(size_t most, Visit&& visit) const {
    size_t last_bytes = std::numeric_limits<size_t>::max();
    uint32_t last = 0;
    for (; most != 0; --most) {
      const uint32_t next = next_place(last_bytes, last);
      if (next > places_.last()) return;
      visit(places_.place(next), places_.tally(next));
      last_bytes = places_.tally(next).bytes;
      last = next;
    }
  }

 private:
  struct Record {
    size_t requested;
    size_t given;
    uint32_t place;
  };

  void add(const Record& record) {
    ++now_.blocks;
    now_.requested += record.requested;
    now_.given += record.given;
    if (now_.requested > peak_.requested) peak_ = now_;
    ++classes_[class_of(record.requested)].blocks;
    PlaceSums& place = places_.tally(record.place);
    ++place.blocks;
    place.bytes += record.requested;
  }
  void subtract(const Record& record) {
    --now_.blocks;
    now_.requested -= record.requested;
    now_.given -= record.given;
    --classes_[class_of(record.requested)].blocks;
    PlaceSums& place = places_.tally(record.place);
    --place.blocks;
    place.bytes -= record.requested;
  }
  void lose() { ++unrecorded_; }

  // Places are in the order by falling bytes, then by number. The result is the first place with
  // bytes in use that follows (bytes, number) in that order. A result beyond last() means that
  // there is none.
  uint32_t next_place(size_t bytes, uint32_t number) const {
    uint32_t found = places_.last() + 1;
    size_t found_bytes = 0;
    for (uint32_t i = 0; i <= places_.last(); ++i) {
      const PlaceSums& sums = places_.tally(i);
      if (sums.blocks == 0 || sums.bytes > bytes || (sums.bytes == bytes && i <= number)) continue;
      if (found <= places_.last() && sums.bytes <= found_bytes) continue;
      found = i;
      found_bytes = sums.bytes;
    }
    return found;
  }

  AddressMap<Record> records_;
  PlaceTable<PlaceSums> places_;
  Sums now_;
  Sums peak_;
  Class classes_[kClasses];
  size_t mallocs_ = 0;
  size_t frees_ = 0;
  size_t failures_ = 0;
  size_t unrecorded_ = 0;
};

}  // namespace mmt::layers
