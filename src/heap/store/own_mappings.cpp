#include "heap/store/own_mappings.h"

namespace mmt::store {

bool OwnMappings::add(LockToken, void* block, size_t bytes) {
  if (!table_.insert(block, bytes)) return false;
  bytes_ += bytes;
  tally_->add_large(bytes);
  return true;
}

size_t OwnMappings::remove(LockToken, void* block) {
  const size_t bytes = table_.remove(block);
  if (bytes == 0) return 0;
  bytes_ -= bytes;
  tally_->remove_large(bytes);
  return bytes;
}

void OwnMappings::end_move(LockToken, void* from, void* to, size_t before, size_t bytes) {
  table_.end_move(from, to, bytes);
  bytes_ += bytes - before;
  tally_->change_large(before, bytes);
}

}  // namespace mmt::store
