#pragma once
// Zeros in blocks, without a call: sixteen bytes at a time, where the CPU has such registers. The
// library's code keeps nothing in these (cmake/MmtCore.cmake), and neither does a caller across a
// call. Pieces overlap, so that sizes that come in turn take the same way.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <mmt/core/compiler.h>

namespace mmt::harden {

inline constexpr size_t kLeastZeroed = 24;

#if defined(__x86_64__)

// [from, from + bytes), at least kLeastZeroed of them.
MMT_ALWAYS_INLINE void make_zero(char* from, size_t bytes) {
  const size_t last = bytes - 16;
  __asm__ volatile("pxor %%xmm0, %%xmm0" ::: "memory");
  const auto put = [from](size_t at) {
    __asm__ volatile("movups %%xmm0, (%0)" ::"r"(from + at) : "memory");
  };
  if (MMT_LIKELY(bytes <= 64)) {
    put(0);
    put(last < 16 ? last : 16);
    put(last < 32 ? last : 32);
    put(last);
    return;
  }
  const auto put_four = [from](size_t at) {
    __asm__ volatile(
        "movups %%xmm0, (%0)\n movups %%xmm0, 16(%0)\n"
        "movups %%xmm0, 32(%0)\n movups %%xmm0, 48(%0)" ::"r"(from + at)
        : "memory");
  };
  for (size_t at = 0; at < bytes - 64; at += 64) put_four(at);
  put_four(bytes - 64);
}

MMT_ALWAYS_INLINE bool are_zero(const char* from, size_t bytes) {
  const size_t last = bytes - 16;
  uint32_t equal;
  const auto take = [from](size_t at) {
    __asm__ volatile("movups (%0), %%xmm1\n por %%xmm1, %%xmm0" ::"r"(from + at) : "memory");
  };
  __asm__ volatile("pxor %%xmm0, %%xmm0" ::: "memory");
  if (MMT_LIKELY(bytes <= 64)) {
    take(0);
    take(last < 16 ? last : 16);
    take(last < 32 ? last : 32);
    take(last);
  } else {
    const auto take_four = [from](size_t at) {
      __asm__ volatile(
          "movups (%0), %%xmm1\n movups 16(%0), %%xmm2\n por %%xmm1, %%xmm0\n"
          "movups 32(%0), %%xmm1\n por %%xmm2, %%xmm0\n movups 48(%0), %%xmm2\n"
          "por %%xmm1, %%xmm0\n por %%xmm2, %%xmm0" ::"r"(from + at)
          : "memory");
    };
    for (size_t at = 0; at < bytes - 64; at += 64) take_four(at);
    take_four(bytes - 64);
  }
  __asm__ volatile("pxor %%xmm1, %%xmm1\n pcmpeqb %%xmm1, %%xmm0\n pmovmskb %%xmm0, %0"
                   : "=r"(equal)::"memory");
  return equal == 0xffff;
}

#else

MMT_ALWAYS_INLINE void make_zero(char* from, size_t bytes) {
  for (size_t at = 0; at < bytes; at += 8) {
    constexpr uint64_t kZero = 0;
    memcpy(from + at, &kZero, 8);
    // Else a compiler makes this a call.
    __asm__ volatile("" ::: "memory");
  }
}
MMT_ALWAYS_INLINE bool are_zero(const char* from, size_t bytes) {
  uint64_t any = 0;
  for (size_t at = 0; at < bytes; at += 8) {
    uint64_t word;
    memcpy(&word, from + at, 8);
    any |= word;
  }
  return any == 0;
}

#endif

}  // namespace mmt::harden
