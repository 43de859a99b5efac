#pragma once
// A fault is told of once, although several may come upon it: the patrol, a resize, and a free. The
// places of the last that were told are kept. Any thread.
#include <cstdint>

#include <mmt/core/checked.h>
#include <mmt/sys/pages.h>

namespace mmt::harden {

// Whose writes are told of once.
inline const void* page_of(const void* at) {
  return reinterpret_cast<const void*>(
      core::align_down(reinterpret_cast<uintptr_t>(at), sys::kPageSize));
}

// `at`: the tail of a damaged block, or a page of free memory. False: it was told of before.
bool note_told(const void* at);

// As the damage goes: with the block, or mended. True: it was told of.
bool forget_told(const void* at);

}  // namespace mmt::harden
