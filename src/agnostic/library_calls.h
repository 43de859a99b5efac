#pragma once
// The part of abi/process_heap.h that is the same whatever the protocol: calls that go to the
// library from the thread itself. All blocks are the library's own, but for those of the reserve.
// Protocol has allocate_slow and deallocate_slow.
#include <cerrno>
#include <cstring>

#include "agnostic/library.h"

namespace mmt::agnostic {

template <class Protocol, class Clients>
struct LibraryCalls {
  using Inside = typename Clients::Inside;

  static void* allocate_aligned(size_t bytes, size_t alignment) {
    const Inside inside;
    if (!inside.is_first()) return Clients::allocate_reserved(bytes, alignment);
    return library.memalign(alignment, bytes);
  }
  static void* reallocate(void* block, size_t bytes) {
    const bool is_reserved = Clients::is_reserved(block);
    if (!is_reserved) {
      const Inside inside;
      if (inside.is_first()) return library.realloc(block, bytes);
    }
    const size_t size = is_reserved ? Clients::size_of_reserved(block) : library.usable_size(block);
    void* moved = Protocol::allocate_slow(bytes);
    if (moved == nullptr) return nullptr;
    memcpy(moved, block, size < bytes ? size : bytes);
    Protocol::deallocate_slow(block);
    return moved;
  }
  static size_t usable_size(const void* block) {
    if (Clients::is_reserved(block)) return Clients::size_of_reserved(block);
    return library.usable_size(const_cast<void*>(block));
  }
  static bool owns(const void*) { return true; }
  static void keep_to_slow_paths() {}
  static bool trim() {
    const Inside inside;
    return inside.is_first() && library.trim(0) != 0;
  }
  static void set_trim_threshold(int value) {
    const Inside inside;
    if (inside.is_first()) library.set_parameter(M_TRIM_THRESHOLD, value);
  }
  static struct mallinfo2 info() {
    const Inside inside;
    if (!inside.is_first()) return {};
    return library.info();
  }
  static int print_info(int options, FILE* stream) { return library.print_info(options, stream); }
  static void print_stats() { library.print_stats(); }

  // A block that is freed whatever the protocol does: the reserve's, and those that come while the
  // thread is inside.
  static bool is_freed_here(void* block) {
    if (Clients::is_reserved(block)) return Clients::free_reserved(block), true;
    if (MMT_LIKELY(!Clients::is_inside())) return false;
    Clients::defer_free(block);
    return true;
  }
};

}  // namespace mmt::agnostic
