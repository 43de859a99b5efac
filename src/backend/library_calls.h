#pragma once
// This part of names/process_heap.h is the same whatever the protocol: calls that go to the library
// from the thread itself. All blocks are the library's own, but for those of the reserve.
//
// Protocol has:
// - allocate_slow and deallocate_slow
// - settle(): what the thread has handed over, or was prepared for it, is the library's again where
//   that takes a short while
// - count(bytes), inside: so much is allocated
// - maybe its own is_librarys(): whether the thread was inside, and it is the library that calls
#include <cerrno>
#include <cstdint>
#include <cstring>

#include <mmt/core/compiler.h>

#include "backend/copy_unsized.h"
#include "backend/library.h"

namespace mmt::backend {

template <class Protocol, class Clients>
struct LibraryCalls {
  using Inside = typename Clients::Inside;
  static constexpr bool kFreesByLibrary = true;  // see names/perturb.h

  // The library has no memory for a call of the program's, though not for its size. If the protocol
  // has gather(), which gives back what was freed and waits yet, the library is asked once more.
  template <class Ask>
  static MMT_ALWAYS_INLINE void* ask(size_t bytes, Ask&& once) {
    void* const block = once();
    const bool is_short = block == nullptr && bytes - 1 < kAddressSpace;
    return MMT_LIKELY(!is_short) ? block : ask_again(once);
  }

  static void* allocate_aligned(size_t bytes, size_t alignment) {
    return ask(bytes, [=] { return allocate_aligned_once(bytes, alignment); });
  }
  static void* reallocate(void* block, size_t bytes) {
    return ask(bytes, [=] { return reallocate_once(block, bytes); });
  }
  static size_t usable_size(const void* block) {
    if (Clients::is_reserved(block)) return Clients::size_of_reserved(block);
    return library.usable_size(const_cast<void*>(block));
  }
  static bool owns(const void*) { return true; }
  static bool is_librarys(const Inside& inside) { return inside.is_librarys(); }
  static void keep_to_slow_paths() { Clients::close_all(); }
  static bool trim(size_t kept) {
    find_library();
    Protocol::settle();
    const Inside inside;
    return inside.is_first() && library.trim(kept) != 0;
  }
  static int set_parameter(int parameter, int value) {
    find_library();
    const Inside inside;
    return inside.is_first() ? library.set_parameter(parameter, value) : 0;
  }
  static void set_trim_threshold(int value) { Protocol::set_parameter(M_TRIM_THRESHOLD, value); }
  static struct mallinfo2 info() {
    find_library();
    Protocol::settle();
    const Inside inside;
    if (!inside.is_first()) return {};
    return library.info();
  }
  static int print_info(int options, FILE* stream) {
    find_library();
    Protocol::settle();
    const Inside inside;
    if (!inside.is_first()) return EAGAIN;
    const typename Clients::Passage passage;
    return library.print_info(options, stream);
  }
  static void print_stats() {
    find_library();
    Protocol::settle();
    const Inside inside;
    if (!inside.is_first()) return;
    const typename Clients::Passage passage;
    library.print_stats();
  }

  // A block that is freed whatever the protocol does: the reserve's, and those that come while the
  // thread is inside.
  static bool is_freed_here(void* block) {
    if (Clients::is_reserved(block)) return Clients::free_reserved(block), true;
    if (MMT_LIKELY(!Clients::is_inside())) return false;
    Clients::passes() ? library.free(block) : Clients::defer_free(block);
    return true;
  }

 private:
  // Larger blocks have mappings of their own in most libraries, and move without being read.
  static constexpr size_t kMostCopied = size_t{1} << 20;
  static constexpr size_t kAddressSpace = size_t{1} << 47;

  template <class Ask>
  static MMT_NOINLINE void* ask_again(Ask&& once) {
    if constexpr (requires { Protocol::gather(); }) {
      if (Clients::is_inside()) return nullptr;
      Protocol::gather();
      return once();
    } else {
      return nullptr;
    }
  }

  static void* allocate_aligned_once(size_t bytes, size_t alignment) {
    find_library();
    const Inside inside;
    if (Protocol::is_librarys(inside)) return library.memalign(alignment, bytes);
    if (!inside.is_first()) return Clients::allocate_reserved(bytes, alignment);
    Protocol::count(bytes);
    return library.memalign(alignment, bytes);
  }
  static void* reallocate_once(void* block, size_t bytes) {
    const bool is_reserved = Clients::is_reserved(block);
    if (!is_reserved) {
      find_library();
      if (!Clients::is_inside()) look_at(block, bytes);
      const Inside inside;
      if (Protocol::is_librarys(inside)) return library.realloc(block, bytes);
      if (inside.is_first()) {
        Protocol::count(bytes);
        return library.realloc(block, bytes);
      }
    }
    void* moved = Protocol::allocate_slow(bytes);
    if (moved == nullptr) return nullptr;
    if (is_reserved) {
      const size_t size = Clients::size_of_reserved(block);
      memcpy(moved, block, size < bytes ? size : bytes);
    } else if (!copy_unsized(moved, block, bytes) && !copy_sized(moved, block, bytes)) {
      Protocol::deallocate_slow(moved);
      return nullptr;
    }
    Protocol::deallocate_slow(block);
    return moved;
  }

  // A block that the library is going to copy may be such that a handler leaves it for good: that
  // is to happen here.
  static void look_at(const void* block, size_t bytes) {
    constexpr size_t kPage = 4096;
    const size_t size = library.usable_size(const_cast<void*>(block));
    if (size == 0 || size >= bytes || size > kMostCopied) return;
    const auto* const first = static_cast<const volatile char*>(block);
    for (size_t at = 0; at < size; at += kPage) static_cast<void>(first[at]);
    static_cast<void>(first[size - 1]);
  }

  // While the thread is inside, the library may be in the midst of a change. So it is asked for the
  // size only where the copy cannot do without. False: it does not tell.
  static bool copy_sized(void* to, const void* from, size_t bytes) {
    const size_t size = library.usable_size(const_cast<void*>(from));
    memcpy(to, from, size < bytes ? size : bytes);
    return size != 0;
  }
};

}  // namespace mmt::backend
