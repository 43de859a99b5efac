#include "heap/store/mapping_table.h"

#include <mmt/sys/pages.h>

namespace mmt::store {
namespace {

constexpr size_t kPageShift = 12;
static_assert(size_t{1} << kPageShift == sys::kPageSize);

}  // namespace

// While one lives the table is changing.
class MappingTable::Change {
 public:
  explicit Change(MappingTable& table) : table_(table) {
    table_.changing_ = true;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~Change() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    table_.changing_ = false;
  }
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;

 private:
  MappingTable& table_;
};

// Where the search for a block begins. Blocks start on pages, and often at equal distances.
size_t MappingTable::home_of(const void* block) const {
  const uintptr_t page = reinterpret_cast<uintptr_t>(block) >> kPageShift;
  return (page * 0x9e3779b97f4a7c15u >> 32) & (capacity() - 1);
}

// The block's cell, or the empty one where it would go.
size_t MappingTable::place_of(const void* block) const {
  size_t at = home_of(block);
  while (cells_[at].block != nullptr && cells_[at].block != block) at = (at + 1) & (capacity() - 1);
  return at;
}

size_t MappingTable::wanted_room() const {
  // Relaxed: a guess, which use() makes sure of.
  const size_t capacity = capacity_.load(std::memory_order_relaxed);
  if (2 * count() < capacity) return 0;
  return capacity == 0 ? sys::kPageSize : 2 * capacity * sizeof(Cell);
}

MappingTable::Room MappingTable::use(Room room) {
  const size_t before = capacity();
  if (room.bytes / sizeof(Cell) <= before) return room;
  const Change change(*this);
  Cell* const cells = cells_;
  cells_ = static_cast<Cell*>(room.at);
  capacity_.store(room.bytes / sizeof(Cell), std::memory_order_relaxed);
  for (size_t i = 0; i < before; ++i)
    if (cells[i].block != nullptr) cells_[place_of(cells[i].block)] = cells[i];
  return {cells, before * sizeof(Cell)};
}

bool MappingTable::insert(const void* block, size_t bytes) {
  // One cell stays empty, so that every search ends.
  if (capacity() == 0 || count() >= capacity() - 1) return false;
  const Change change(*this);
  cells_[place_of(block)] = {block, bytes};
  count_.add(1);
  return true;
}

size_t MappingTable::find(const void* block) const {
  return count() == 0 || block == nullptr ? 0 : cells_[place_of(block)].bytes & ~kMoving;
}

// What was put behind it for want of its place moves up, so that no search ends too early.
void MappingTable::empty(size_t hole) {
  const size_t mask = capacity() - 1;
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
  if (bytes != 0) cells_[place_of(block)].bytes = bytes | kMoving;
  return bytes;
}

void MappingTable::end_move(const void* from, const void* to, size_t bytes) {
  const Change change(*this);
  const size_t before = place_of(from);
  // Otherwise another's block lies there by now.
  if ((cells_[before].bytes & kMoving) != 0) empty(before);
  cells_[place_of(to)] = {to, bytes};
}

size_t MappingTable::remove(const void* block) {
  const size_t bytes = find(block);
  if (bytes == 0) return 0;
  const Change change(*this);
  empty(place_of(block));
  count_.sub(1);
  return bytes;
}

}  // namespace mmt::store
