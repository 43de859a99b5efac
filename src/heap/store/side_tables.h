#pragma once
// Side tables describe the slots of a region. Each table is one row here; the rows have the order
// in which the tables lie beside each other. All tables are zero at first, and are mapped piece by
// piece as the region grows (region.h). at() gives the place of a table.
#include <cstddef>
#include <cstdint>

#include <mmt/core/checked.h>
#include <mmt/sys/pages.h>

#include "heap/store/object_states.h"
#include "heap/store/size_class.h"
#include "heap/store/span.h"

namespace mmt::store {

inline constexpr size_t kMaxSlots = size_t{1} << 26;  // 4 TiB

enum class Side : uint8_t {
  kClasses,       // class of the blocks, or a code: see Region::class_of
  kSpans,         // records of spans and large blocks
  kFreeBits,      // blocks that are free and in the depot
  kReturnedBits,  // blocks given back past the channels
  // One bit a slot: see SlotMap, Seams and Region::returned_marks.
  kFree,
  kDirty,
  kAged,
  kDisplaced,
  kSeams,
  kReturnedMarks,
  kStates,  // of objects, where the heap keeps any: object_states.h
  kMarks,   // of slots, likewise
  kCount,
};
inline constexpr size_t kSideCount = static_cast<size_t>(Side::kCount);

// The bits that a slot has, by Side.
inline constexpr size_t kSideBits[] = {
    8, 8 * sizeof(Span),      64 * kMaxBitmapWords, 64 * kMaxBitmapWords, 1, 1, 1, 1, 1,
    1, 8 * kObjectStateBytes, kSlotMarkBits,
};
static_assert(sizeof kSideBits / sizeof *kSideBits == kSideCount);

// The bytes that describe so many slots.
constexpr size_t side_bytes(size_t which, size_t slots) {
  return core::align_up(slots * kSideBits[which] / 8, sys::kPageSize);
}

// Where a table begins; of kCount: the end of all.
constexpr size_t side_offset(Side which) {
  size_t offset = 0;
  for (size_t i = 0; i < static_cast<size_t>(which); ++i) offset += kMaxSlots * kSideBits[i] / 8;
  return offset;
}
inline constexpr size_t kSideTableBytes =
    core::align_up(side_offset(Side::kCount), sys::kHugePageSize);

class SideTables {
 public:
  void place(char* start) { start_ = start; }
  char* at(Side which) const { return start_ + side_offset(which); }
  char* at(size_t which) const { return at(static_cast<Side>(which)); }

 private:
  char* start_ = nullptr;
};

}  // namespace mmt::store
