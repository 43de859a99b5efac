#pragma once
// mallopt(M_PERTURB, byte), as in glibc: blocks are filled with the byte when they are freed, and
// with its complement when they are given out, but for calloc's. A debugging aid: fast paths are no
// longer taken, by other threads from their next slow path on.
#include <atomic>
#include <cstdint>

#include <mmt/core/compiler.h>

namespace mmt::preload {

// 0: nothing is filled. Relaxed: a value, by which nothing else is found.
constinit inline std::atomic<uint8_t> perturb_byte{0};

inline bool is_perturbing() {
  return MMT_UNLIKELY(perturb_byte.load(std::memory_order_relaxed) != 0);
}

void start_perturbing(int value);

// All that may be used of a block of this heap, or null, that is given out or freed.
void perturb_new(void* block);
void perturb_freed(void* block);

}  // namespace mmt::preload
