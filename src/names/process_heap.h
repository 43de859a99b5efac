#pragma once
// What a library that replaces malloc puts behind the names: the one heap of the process, as static
// functions. Any thread and any context calls them: before constructors, after destructors, in
// signal handlers, in a fork's child. None sets errno. Null results mean that no memory can be had.
#include <malloc.h>

#include <concepts>
#include <cstddef>
#include <cstdio>

namespace mmt::names {

template <class P>
concept IsProcessHeap = requires(void* block, size_t bytes, void* (*slow)(size_t),
                                 void (*slow_free)(void*), FILE* stream, int value) {
  // The fast paths are in line. They leave what they cannot do to the callable, in tail position. A
  // P with kIsClosedAtFirst leaves everything to the callable until a slow path has been gone.
  // Before that it reads only what needs no relocation (early.h).
  { P::allocate_or(bytes, slow) } -> std::same_as<void*>;
  P::deallocate_or(block, slow_free);
  // It takes any size, without the fast path.
  { P::allocate_slow(bytes) } -> std::same_as<void*>;
  // It goes without the fast path. False, and nothing done: the block does not lie in this heap.
  { P::deallocate_slow(block) } -> std::same_as<bool>;
  // The alignment is a power of two.
  { P::allocate_aligned(bytes, bytes) } -> std::same_as<void*>;
  { P::allocate_zeroed(bytes) } -> std::same_as<void*>;
  // The new place of a block that is owned; null leaves the block as it was.
  { P::reallocate(block, bytes) } -> std::same_as<void*>;
  // Bytes that may be used of a block that is owned.
  { P::usable_size(block) } -> std::same_as<size_t>;
  // Whether the address lies in this heap: not, whether a live block begins there.
  { P::owns(block) } -> std::same_as<bool>;
  // No fast path is taken any more: every block that is given out or freed is seen by slow().
  P::keep_to_slow_paths();
  // Gives back to the OS what is free, but for about so many bytes, where that can be told; whether
  // there was something.
  { P::trim(bytes) } -> std::same_as<bool>;
  // What is free and given back by itself, in bytes; negative: nothing. It is as mallopt's.
  P::set_trim_threshold(value);
  { P::info() } -> std::same_as<struct mallinfo2>;
  // XML as glibc writes it; 0, or an error number.
  { P::print_info(value, stream) } -> std::same_as<int>;
  // Lines as glibc's malloc_stats writes them, to standard error.
  P::print_stats();
  // Before the first handler of fork that is not libc's own.
  P::install_fork_handlers();
};

}  // namespace mmt::names
