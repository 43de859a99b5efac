// The header has checks for test programs, C and C++. Nothing here allocates. A failure is
// formatted on the stack, written to stderr, and ends the process at once with status 1. No
// destructors and no handlers run, so that a broken allocator still reports. The checks are safe in
// signal handlers and in children of fork.
#pragma once

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((format(printf, 4, 5), unused)) static void expect_failed(const char* file, int line,
                                                                        const char* what,
                                                                        const char* format, ...) {
  char text[1024];
  int saved = errno;
  const char* base = strrchr(file, '/');
  int n = snprintf(text, sizeof text, "%s:%d: %s does not hold (errno %d)", base ? base + 1 : file,
                   line, what, saved);
  va_list args;
  va_start(args, format);
  if (n < (int)sizeof text - 4) n += vsnprintf(text + n, sizeof text - (size_t)n, format, args);
  va_end(args);
  if (n > (int)sizeof text - 2) n = (int)sizeof text - 2;
  text[n++] = '\n';
  ssize_t written = write(2, text, (size_t)n);
  (void)written;
  _exit(1);
}

// EXPECT(condition) or EXPECT(condition, "format", values...).
#define EXPECT(condition, ...)                                                        \
  do {                                                                                \
    if (!(condition)) expect_failed(__FILE__, __LINE__, #condition, " " __VA_ARGS__); \
  } while (0)

// Hides where a pointer came from, so that the compiler can assume nothing about the block.
#define OPAQUE(p) __asm__ volatile("" : "+r"(p) : : "memory")

// True when libmmt.so serves this program: for figures only our library promises.
__attribute__((unused)) static bool under_mmt(void) {
  const char* lib = getenv("PRELOAD_PROOF_LIB");
  const char* base = lib ? strrchr(lib, '/') : NULL;
  return base != NULL && strncmp(base, "/libmmt", 7) == 0;
}

__attribute__((unused)) static bool under_glibc(void) {
  return getenv("PRELOAD_PROOF_LIB") == NULL;
}

// Pseudo-random numbers, deterministic by seed (splitmix64).
__attribute__((unused)) static uint64_t next_random(uint64_t* state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
