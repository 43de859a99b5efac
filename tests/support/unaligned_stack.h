// Calls a function with the stack pointer 8 bytes off, as code that no compiler made may do.
#pragma once

#include "support/expect.h"

#if defined(__x86_64__)

__attribute__((noinline, unused)) static long call_unaligned(void* function, long a, long b,
                                                             long c) {
  long result = (long)function;
  __asm__ volatile(
      "movq %%rsp, %%rbx\n\t"
      "subq $256, %%rsp\n\t"  // past what the compiler keeps below
      "andq $-16, %%rsp\n\t"
      "subq $8, %%rsp\n\t"
      "callq *%%rax\n\t"
      "movq %%rbx, %%rsp"
      : "+a"(result), "+D"(a), "+S"(b), "+d"(c)
      :
      : "rbx", "rcx", "r8", "r9", "r10", "r11", "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3",
        "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
        "xmm15");
  return result;
}
#define UNALIGNED(function, a, b, c) \
  call_unaligned((void*)(function), (long)(a), (long)(b), (long)(c))

#else

#define UNALIGNED(function, a, b, c) (exit(77), 0L)

#endif
