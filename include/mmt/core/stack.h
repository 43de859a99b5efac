// The stack that a step is going to need.
#pragma once

#include <cstddef>

#include <mmt/core/compiler.h>

namespace mmt::core {

// Makes sure that so many more bytes of the stack are there. A handler that grows the stack, or
// leaves by siglongjmp for want of it, runs here and not amid a step. One instruction; any context.
template <size_t kBytes>
MMT_ALWAYS_INLINE void touch_stack() {
#if defined(__x86_64__)
  asm volatile("orb $0, %c0(%%rsp)" : : "i"(-static_cast<long>(kBytes)) : "cc");
#else
  volatile char* const below = static_cast<char*>(__builtin_frame_address(0)) - kBytes;
  *below = *below;
#endif
}

}  // namespace mmt::core
