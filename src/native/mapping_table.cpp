#include "native/mapping_table.h"

#include <mmt/sys/pages.h>

namespace mmt::native {
namespace {

constexpr size_t kPageShift = 12;
static_assert(size_t{1} << kPageShift == sys::kPageSize);

}  // namespace

// Where the search for a block begins. Blocks start on pages, and often at equal distances.
size_t MappingTable::home_of(const void* block) const {
  const uintptr_t page = reinterpret_cast<uintptr_t>(block) >> kPageShift;
  return (page * 0x9e3779b97f4a7c15u >> 32) & (capacity_ - 1);
}

// The block's cell, or the empty one where it would go.
size_t MappingTable::place_of(const void* block) const {
  size_t at = home_of(block);
  while (cells_[at].block != nullptr && cells_[at].block != block) at = (at + 1) & (capacity_ - 1);
  return at;
}

bool MappingTable::grow() {
  const size_t bytes = capacity_ == 0 ? sys::kPageSize : 2 * capacity_ * sizeof(Cell);
  auto* const cells = static_cast<Cell*>(sys::map_anywhere(bytes));
  if (cells == nullptr) return false;
  Cell* const before = cells_;
  const size_t capacity_before = capacity_;
  cells_ = cells;
  capacity_ = bytes / sizeof(Cell);
  for (size_t i = 0; i < capacity_before; ++i)
    if (before[i].block != nullptr) cells_[place_of(before[i].block)] = before[i];
  if (before != nullptr) sys::unmap(before, capacity_before * sizeof(Cell));
  return true;
}

bool MappingTable::insert(const void* block, size_t bytes) {
  // One cell stays empty, so that every search ends.
  const size_t most = capacity_ == 0 ? 0 : capacity_ - 1;
  if (2 * count() >= capacity_ && !grow() && count() >= most) return false;
  cells_[place_of(block)] = {block, bytes};
  count_.add(1);
  return true;
}

size_t MappingTable::find(const void* block) const {
  return count() == 0 || block == nullptr ? 0 : cells_[place_of(block)].bytes;
}

// What was put behind it for want of its place moves up, so that no search ends too early.
void MappingTable::empty(size_t hole) {
  const size_t mask = capacity_ - 1;
  for (size_t at = (hole + 1) & mask; cells_[at].block != nullptr; at = (at + 1) & mask) {
    const size_t from_home = (at - home_of(cells_[at].block)) & mask;
    if (from_home < ((at - hole) & mask)) continue;
    cells_[hole] = cells_[at];
    hole = at;
  }
  cells_[hole] = {};
}

size_t MappingTable::begin_move(const void* block) {
  const size_t bytes = find(block);
  if (bytes != 0) empty(place_of(block));
  return bytes;
}

size_t MappingTable::remove(const void* block) {
  const size_t bytes = begin_move(block);
  if (bytes != 0) count_.sub(1);
  return bytes;
}

}  // namespace mmt::native
