#pragma once
// How large blocks are measured: in slots and pages, and where their runs of slots begin. All
// functions are pure.
#include <cstddef>

#include <mmt/core/checked.h>
#include <mmt/sys/pages.h>

#include "heap/store/side_tables.h"
#include "heap/store/size_class.h"

namespace mmt::store {

inline constexpr size_t kHugeSlots = sys::kHugePageSize >> kSlotShift;

constexpr bool too_large(size_t bytes, size_t alignment) {
  return bytes > (kMaxSlots << kSlotShift) / 2 || alignment > (kMaxSlots << kSlotShift) / 2;
}

constexpr size_t slots_for(size_t bytes) {
  return core::ceil_div(bytes == 0 ? 1 : bytes, kSlotBytes);
}

// What the program may use of a block of so many bytes: whole pages.
constexpr size_t usable_bytes(size_t bytes) {
  return core::align_up(bytes == 0 ? 1 : bytes, sys::kPageSize);
}

// Blocks of several huge pages start on one, so that they can be backed and moved by whole ones.
constexpr size_t slot_alignment(size_t count, size_t alignment) {
  const size_t asked = alignment <= kSlotBytes ? 1 : alignment >> kSlotShift;
  const size_t wanted = count >= 2 * kHugeSlots ? kHugeSlots : 1;
  return asked > wanted ? asked : wanted;
}

}  // namespace mmt::store
