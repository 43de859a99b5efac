// The OS contract for memory, on Linux. Real double: used by every shipped binary.
#include <mmt/sys/pages.h>

#include "sys/linux/page_calls.h"
#include "sys/linux/page_moves.h"

namespace mmt::sys {

MapResult map_at(void* at, size_t bytes) { return kernel::map_at(at, bytes); }
void* map_anywhere(size_t bytes) { return kernel::map_anywhere(bytes); }
void unmap(void* at, size_t bytes) { kernel::unmap(at, bytes); }
void* resize_mapping(void* at, size_t bytes, size_t new_bytes) {
  return kernel::resize_mapping(at, bytes, new_bytes);
}
bool populate(void* at, size_t bytes) { return kernel::populate(at, bytes); }
bool look_for_pages(const void* at, size_t bytes, unsigned char* resident) {
  return kernel::look_for_pages(at, bytes, resident);
}
bool prefer_huge_pages(void* at, size_t bytes) { return kernel::prefer_huge_pages(at, bytes); }
bool discard(void* at, size_t bytes) { return kernel::discard(at, bytes); }
bool renew(void* at, size_t bytes) { return kernel::renew(at, bytes); }
bool restore(void* at, size_t bytes) { return kernel::restore(at, bytes); }
MoveResult move_pages(void* from, void* to, size_t bytes) {
  return kernel::move_pages(from, to, bytes);
}
MoveResult move_mapping(void* from, size_t bytes, void* to, size_t new_bytes) {
  return kernel::move_mapping(from, bytes, to, new_bytes);
}
MoveResult move_pieces(void* from, void* to, size_t bytes) {
  return kernel::move_pieces(from, to, bytes);
}
bool join_mappings(void* at, size_t bytes) { return kernel::join_mappings(at, bytes); }
bool copy_if_readable(void* to, const void* from, size_t bytes) {
  return kernel::copy_if_readable(to, from, bytes);
}
bool make_writable(void* at, size_t bytes) { return kernel::make_writable(at, bytes); }

}  // namespace mmt::sys
