#pragma once
// The heap gets address space from the system, and gives it back, through these doors. The doors
// are for the region's pieces and tables, large blocks with mappings of their own, clients, and
// caches of CPUs. mapped() is what has come in, as the sum of Size of these mappings in
// /proc/self/smaps. A Budget does not know what the program itself unmaps of them. The memory
// thread's stack, and what one call maps and unmaps again, are not the heap's.
//
// A limit stands in admits(). Any thread may call these in any context, without a lock. An all-zero
// budget is valid.
#include <atomic>
#include <cstddef>

#include <mmt/sys/pages.h>

namespace mmt::store {

class Budget {
 public:
  size_t mapped() const { return mapped_.load(std::memory_order_relaxed); }

  // It has the contract of <mmt/sys/pages.h>, and the same results.
  sys::MapResult map_at(void* at, size_t bytes) {
    if (!admits(bytes)) return sys::MapResult::kNoMemory;
    const sys::MapResult result = sys::map_at(at, bytes);
    if (result == sys::MapResult::kMapped) add(bytes);
    return result;
  }
  void* map_anywhere(size_t bytes) {
    void* const at = admits(bytes) ? sys::map_anywhere(bytes) : nullptr;
    if (at != nullptr) add(bytes);
    return at;
  }
  void unmap(void* at, size_t bytes) {
    sys::unmap(at, bytes);
    lose(bytes);
  }
  void* resize_mapping(void* at, size_t bytes, size_t new_bytes) {
    if (new_bytes > bytes && !admits(new_bytes - bytes)) return nullptr;
    void* const place = sys::resize_mapping(at, bytes, new_bytes);
    if (place != nullptr) add(new_bytes - bytes);  // may wrap round: what is cut goes back
    return place;
  }
  // Both ranges were mapped, and the first is no longer.
  sys::MoveResult move_mapping(void* from, size_t bytes, void* to, size_t new_bytes) {
    const sys::MoveResult result = sys::move_mapping(from, bytes, to, new_bytes);
    if (result == sys::MoveResult::kMoved) lose(bytes);
    return result;
  }
  sys::MoveResult move_pieces(void* from, void* to, size_t bytes) {
    const sys::MoveResult result = sys::move_pieces(from, to, bytes);
    if (result == sys::MoveResult::kMoved) lose(bytes);
    return result;
  }
  // Somebody else has unmapped what had come in here: the program's own functions.
  void lose(size_t bytes) { mapped_.fetch_sub(bytes, std::memory_order_relaxed); }

 private:
  // Whether so many bytes more may come in. There is no limit.
  static bool admits(size_t) { return true; }
  void add(size_t bytes) { mapped_.fetch_add(bytes, std::memory_order_relaxed); }

  std::atomic<size_t> mapped_{0};  // relaxed: a number
};

}  // namespace mmt::store
