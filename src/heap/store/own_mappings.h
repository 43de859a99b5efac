#pragma once
// Some large blocks have a mapping of their own, outside the region. The calls here tell which
// blocks these are, and how long each is. The caller maps and unmaps the blocks.
//
// Calls with a LockToken want the depot lock. A handler that interrupted the lock's holder may make
// them only while is_changing() is false, since nothing else has to do with these mappings. The
// others are any thread's at any time.
#include <cstddef>

#include "heap/store/lock_token.h"
#include "heap/store/mapping_table.h"
#include "heap/store/tally.h"

namespace mmt::store {

class OwnMappings {
 public:
  // Once, before the first block is added.
  void open(Tally* tally) { tally_ = tally; }

  // A call that changes what is noted is under way.
  bool is_changing() const { return table_.is_changing(); }
  // It wants no lock. It is exact for a thread that knows that a block of its own is one.
  bool has_any() const { return table_.count() != 0; }

  // See MappingTable.
  size_t wanted_room() const { return table_.wanted_room(); }
  MappingTable::Room use_room(LockToken, MappingTable::Room room) { return table_.use(room); }

  // Counts such a block. False: there is no room to note it.
  bool add(LockToken lock, void* block, size_t bytes);
  // It is none any more; the length of its mapping, 0 when it was none of these.
  size_t remove(LockToken lock, void* block);
  // A block whose mapping may change place and length in between; see MappingTable.
  size_t begin_move(LockToken, void* block) { return table_.begin_move(block); }
  void end_move(LockToken lock, void* from, void* to, size_t before, size_t bytes);

  // Length of its mapping; 0 when `block` is none of these.
  size_t bytes_of(LockToken, const void* block) const { return table_.find(block); }
  // See MappingTable::for_each.
  template <class Visit>
  void for_each(LockToken, Visit&& visit) const {
    table_.for_each(visit);
  }
  // The length of all of them.
  size_t bytes(LockToken) const { return bytes_; }

 private:
  Tally* tally_ = nullptr;
  MappingTable table_;
  size_t bytes_ = 0;
};

}  // namespace mmt::store
