// Blocks of the heap that one thread holds, their contents checked whenever they change hands.
// Where a call is refused, what it was about must be as before; in a strict holding nothing may be
// refused. What does not hold ends the process (support/expect.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmt::out_of_memory {

class Holding {
 public:
  // `salt` tells the contents of one holding from those of others.
  Holding(bool strict, uint64_t salt) : strict_(strict), next_id_(salt << 32) {}
  Holding(Holding&&) = default;

  // Each adds a block, if there is memory. False: refused.
  bool allocate(size_t size);
  bool allocate_zeroed(size_t size);
  bool allocate_aligned(size_t size, size_t alignment);

  // Both act on the index-th block.
  void resize(size_t index, size_t size);
  void release(size_t index);

  // Only blocks whose index is a multiple of `step` are left.
  void thin_out(size_t step);
  void release_all();
  // Takes over what another holds.
  void adopt(Holding&& other);

  void check_all() const;
  size_t count() const { return blocks_.size(); }

 private:
  struct Block {
    char* at;
    size_t size;
    uint64_t id;
  };
  bool add(void* at, size_t size);
  static void give_back(const Block& block);

  bool strict_;
  uint64_t next_id_;
  std::vector<Block> blocks_;
};

}  // namespace mmt::out_of_memory
