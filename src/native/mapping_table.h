#pragma once
// Which addresses are those of blocks with a mapping of their own, and how long each is: an
// open-addressing hash table outside the blocks, which grows with their number. All calls but
// count() under the depot lock; insert may make system calls, when the table doubles.
#include <cstddef>
#include <cstdint>

#include <mmt/sync/counter.h>

namespace mmt::native {

class MappingTable {
 public:
  // False when the table cannot grow for want of memory. `block` is not in it, and not null.
  bool insert(const void* block, size_t bytes);
  // Its length; 0 when it is not in the table.
  size_t find(const void* block) const;
  // The same, and takes it out.
  size_t remove(const void* block);
  // The same, for a block that keeps its place in the count: end_move puts it back, perhaps by
  // another address, and cannot fail.
  size_t begin_move(const void* block);
  void end_move(const void* block, size_t bytes) { cells_[place_of(block)] = {block, bytes}; }
  // May be read without the lock.
  size_t count() const { return count_.get(); }

 private:
  struct Cell {
    const void* block;  // null: empty
    size_t bytes;
  };

  size_t home_of(const void* block) const;
  size_t place_of(const void* block) const;
  void empty(size_t hole);
  bool grow();

  Cell* cells_ = nullptr;
  size_t capacity_ = 0;  // a power of two; at most half of it is used, if it can grow
  sync::Counter<> count_;
};

}  // namespace mmt::native
