// Compiler and instruction-set specifics. Outside mmt/sys this is the only header that may use #if:
// everything else asks the macros, constants and functions below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>

#define MMT_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define MMT_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define MMT_NOINLINE __attribute__((noinline))
// A static whose destructor does nothing: clang registers it all the same, with libraries' guards.
#if defined(__clang__)
#define MMT_NO_DESTROY [[clang::no_destroy]]
#else
#define MMT_NO_DESTROY
#endif
#define MMT_COLD __attribute__((noinline, cold))
#define MMT_ALWAYS_INLINE inline __attribute__((always_inline))
// A function whose caller may have left the stack unaligned, as code that no compiler made does.
#if defined(__x86_64__)
#define MMT_ANY_STACK __attribute__((force_align_arg_pointer))
#else
#define MMT_ANY_STACK
#endif
// Before a loop of a few rounds, whose number is known: so that its arrays are registers.
#define MMT_UNROLL _Pragma("GCC unroll 8")
// A C symbol that a preloaded library offers to the program.
#define MMT_EXPORT extern "C" __attribute__((visibility("default")))
// A C symbol that all of a library is to find in place of libc's, and nobody else.
#define MMT_OWN extern "C" __attribute__((visibility("hidden")))

namespace mmt::core {

// kCacheLine is the unit of sharing. kNoSharing is the distance that keeps two writers from
// disturbing each other. It is two lines, as pairs of lines are fetched together on x86-64, and
// some arm64 lines are 128 bytes long.
inline constexpr size_t kCacheLine = 64;
inline constexpr size_t kNoSharing = 128;

// Which tiers of core/check.h are compiled in; the build says it by number.
#if defined(MMT_CHECK_LEVEL)
inline constexpr int kCheckLevel = MMT_CHECK_LEVEL;
#else
inline constexpr int kCheckLevel = 0;
#endif
inline constexpr bool kDebugChecks = kCheckLevel >= 1;
inline constexpr bool kParanoidChecks = kCheckLevel >= 2;

// Bits of an address that the kernel gives to programs unless they ask for more.
#if defined(__aarch64__)
inline constexpr unsigned kAddressBits = 48;
#else
inline constexpr unsigned kAddressBits = 47;
#endif

// True when ThreadSanitizer instruments this unit; it does not understand bare fences.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool kThreadSanitizer = true;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif
#else
inline constexpr bool kThreadSanitizer = false;
#endif

// Tells the CPU that this is a spin loop.
MMT_ALWAYS_INLINE void cpu_relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("isb" ::: "memory");
#else
  __asm__ __volatile__("" ::: "memory");
#endif
}

// Reads a counter of constant rate (interprocess/ticks.h measures it), cheap enough to stand around
// a single call. ticks_before() does not read it before everything earlier is done, and
// ticks_after() not before what was timed is done. Elsewhere than on x86-64 it counts nanoseconds.
MMT_ALWAYS_INLINE uint64_t ticks_before() {
#if defined(__x86_64__)
  // Not the builtin, which is one of vector instructions: see cmake/MmtCore.cmake.
  __asm__ __volatile__("lfence" ::: "memory");
  return __builtin_ia32_rdtsc();
#else
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
#endif
}
MMT_ALWAYS_INLINE uint64_t ticks_after() {
#if defined(__x86_64__)
  unsigned cpu;
  return __builtin_ia32_rdtscp(&cpu);
#else
  return ticks_before();
#endif
}

// Puts `to` in place of `from`, which only this thread writes: undivided by its own signals, for
// the price of an ordinary store. False: a signal handler was there before.
MMT_ALWAYS_INLINE bool replace_in_thread(uint64_t& word, uint64_t from, uint64_t to) {
#if defined(__x86_64__)
  bool is_replaced;
  __asm__ __volatile__("cmpxchgq %[to], %[word]"
                       : "=@ccz"(is_replaced), [word] "+m"(word), "+a"(from)
                       : [to] "r"(to)
                       : "memory");
  return is_replaced;
#else
  return __atomic_compare_exchange_n(&word, &from, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
#endif
}

// Asks for the line in exclusive state. Never faults, whatever the address.
MMT_ALWAYS_INLINE void prefetch_for_write(const void* address) {
#if defined(__x86_64__)
  // The builtin yields a read prefetch unless -mprfchw is given; CPUs without it ignore prefetchw.
  __asm__ __volatile__("prefetchw %0" ::"m"(*static_cast<const char*>(address)));
#else
  __builtin_prefetch(address, 1, 3);
#endif
}

// Without vectors (cmake/MmtCore.cmake) a compiler keeps nothing in these, and may not be told.
#if defined(__SSE2__)
#define MMT_XMM_CLOBBERS "xmm0", "xmm1", "xmm2", "xmm3",
#else
#define MMT_XMM_CLOBBERS
#endif

// Copies to `to`, which begins a cache line. Whole lines go past the caches where the CPU can, so
// that a line which another core holds need not be fetched. Ordered with later stores by
// store_fence() only.
MMT_ALWAYS_INLINE void copy_past_cache(void* to, const void* from, size_t bytes) {
  size_t done = 0;
#if defined(__x86_64__)
  if constexpr (!kThreadSanitizer) {
    auto* const target = static_cast<char*>(to);
    const auto* const source = static_cast<const char*>(from);
    for (; done + kCacheLine <= bytes; done += kCacheLine) {
      __asm__ __volatile__(
          "movdqu (%1), %%xmm0\n\t"
          "movdqu 16(%1), %%xmm1\n\t"
          "movdqu 32(%1), %%xmm2\n\t"
          "movdqu 48(%1), %%xmm3\n\t"
          "movntdq %%xmm0, (%0)\n\t"
          "movntdq %%xmm1, 16(%0)\n\t"
          "movntdq %%xmm2, 32(%0)\n\t"
          "movntdq %%xmm3, 48(%0)"
          :
          : "r"(target + done), "r"(source + done)
          : MMT_XMM_CLOBBERS "memory");
    }
  }
#endif
  __builtin_memcpy(static_cast<char*>(to) + done, static_cast<const char*>(from) + done,
                   bytes - done);
}

// Stores made before it, those past the caches included, are visible before those after it.
MMT_ALWAYS_INLINE void store_fence() {
#if defined(__x86_64__)
  __asm__ __volatile__("sfence" ::: "memory");
#else
  __asm__ __volatile__("" ::: "memory");  // such stores are ordinary ones here
#endif
}

#if !defined(__x86_64__) && !defined(__aarch64__)
extern "C" long syscall(long number, ...) noexcept;
#endif

// Makes the system call itself, and returns a value or -errno. It leaves errno alone, as free()
// must not change it, and a server made by bare clone shares its creator's.
MMT_ALWAYS_INLINE long raw_syscall(long number, long a = 0, long b = 0, long c = 0, long d = 0,
                                   long e = 0, long f = 0) {
#if defined(__x86_64__)
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ __volatile__("syscall"
                       : "=a"(result)
                       : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                       : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ __volatile__("svc #0"
                       : "+r"(x0)
                       : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                       : "memory");
  return x0;
#else
  return syscall(number, a, b, c, d, e, f);
#endif
}

#undef MMT_XMM_CLOBBERS

}  // namespace mmt::core
