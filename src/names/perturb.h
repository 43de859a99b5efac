#pragma once
// mallopt(M_PERTURB, byte) works as in glibc. Blocks are filled with the byte when they are freed.
// They are filled with its complement when they are given out, but for calloc's. This is a
// debugging aid. The usual fast paths are no longer taken, by other threads from their next slow
// path on. A P that has allocate_checked and deallocate_checked serves from its caches all the
// same, with this as policy.
//
// A P that has P::kFreesByLibrary has another library's blocks. That library is told of the byte,
// and fills the blocks as they are freed. It knows by what it wrote into a block whether the block
// is free already. No size may be asked of a block that is free.
#include <malloc.h>

#include <atomic>
#include <cstdint>
#include <cstring>

#include <mmt/core/compiler.h>

#include "names/process_heap.h"

namespace mmt::names {

// 0: nothing is filled. Relaxed: a value, by which nothing else is found.
constinit inline std::atomic<uint8_t> perturb_byte{0};

inline bool is_perturbing() {
  return MMT_UNLIKELY(perturb_byte.load(std::memory_order_relaxed) != 0);
}

template <IsProcessHeap P>
struct Perturb {
  static void start(int value) {
    const auto byte = static_cast<uint8_t>(value & 0xff);
    if (byte != 0) P::keep_to_slow_paths();
    perturb_byte.store(byte, std::memory_order_relaxed);
    if constexpr (kFreesByLibrary) P::set_parameter(M_PERTURB, value);
  }

  // It serves as a policy of P's fast paths.
  static void taken(void* block, size_t) { fill_new(block); }
  static bool given(void* block, size_t) {
    if (P::owns(block)) fill_freed(block);
    return true;
  }

  // All that may be used of a block of this heap, or null, that is given out or freed.
  MMT_COLD static void fill_new(void* block) { fill(block, 0, 0xff); }
  MMT_COLD static void fill_freed(void* block) { fill_cut(block, 0); }
  // What lies beyond `bytes`, as the block shrinks.
  MMT_COLD static void fill_cut(void* block, size_t bytes) {
    if constexpr (!kFreesByLibrary) fill(block, bytes, 0);
  }

 private:
  static constexpr bool kFreesByLibrary = requires { requires P::kFreesByLibrary; };

  static void fill(void* block, size_t from, uint8_t flipped) {
    const uint8_t byte = perturb_byte.load(std::memory_order_relaxed);
    if (block == nullptr || byte == 0) return;
    const size_t size = P::usable_size(block);
    if (from < size) memset(static_cast<char*>(block) + from, byte ^ flipped, size - from);
  }
};

}  // namespace mmt::names
