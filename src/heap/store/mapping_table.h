#pragma once
// The table knows the addresses of blocks with a mapping of their own, and how long each block is.
// It is an open-addressing hash table outside the blocks, and grows with their number. All calls
// but count() and wanted_room() want the depot lock. The memory comes from a caller that asks
// without the lock.
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <mmt/sync/counter.h>

namespace mmt::store {

class MappingTable {
 public:
  // Bytes of zero pages that the table wants before the next insert; 0: none. It is a guess.
  size_t wanted_room() const;
  // Takes them, and returns what they replace: pages that are the caller's again, perhaps the same.
  struct Room {
    void* at;  // of no bytes: null
    size_t bytes;
  };
  Room use(Room room);

  // False: there is no room. `block` is not in it, and not null.
  bool insert(const void* block, size_t bytes);
  // Its length; 0 when it is not in the table.
  size_t find(const void* block) const;
  // The same, and takes it out.
  size_t remove(const void* block);
  // Does the same as find() for a block that may go to another address until end_move. end_move
  // cannot fail, even if another thread was given the block's place, and inserted it, before. If
  // end_move never comes, the block is still in the table.
  size_t begin_move(const void* block);
  void end_move(const void* from, const void* to, size_t bytes);
  // visit(start, bytes): of each block, and of the table itself.
  template <class Visit>
  void for_each(Visit&& visit) const {
    if (cells_ == nullptr) return;
    visit(cells_, capacity() * sizeof(Cell));
    for (size_t i = 0; i < capacity(); ++i)
      if (cells_[i].block != nullptr) visit(cells_[i].block, cells_[i].bytes & ~kMoving);
  }
  // A call that changes the table is under way: for a handler that interrupted the lock's holder,
  // and must not make another then.
  bool is_changing() const { return changing_; }
  // May be read without the lock.
  size_t count() const { return count_.get(); }

 private:
  static constexpr size_t kMoving = 1;  // lengths are multiples of pages

  class Change;
  struct Cell {
    const void* block;  // null: empty
    size_t bytes;       // and kMoving
  };

  size_t home_of(const void* block) const;
  size_t place_of(const void* block) const;
  void empty(size_t hole);
  size_t capacity() const { return capacity_.load(std::memory_order_relaxed); }

  Cell* cells_ = nullptr;
  // A power of two; at most half of it is used, if it can grow. May be read without the lock.
  std::atomic<size_t> capacity_{0};
  sync::Counter<> count_;
  bool changing_ = false;
};

}  // namespace mmt::store
