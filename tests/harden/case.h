#pragma once
// What the cases share. With GOOD 0 a case has its one fault; with GOOD 1 it is the same program
// without.
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// How many bytes the case is about.
static inline size_t bytes_of(int argc, char** argv) {
  return argc > 1 ? strtoul(argv[1], NULL, 0) : 24;
}

// A write that leaves another value than was there: what is written may not pass for a secret.
static inline void change(volatile char* at) { *at = (char)(*at ^ 1); }

// Zeros, or the junk that presets fill with.
static inline bool is_neutral(const volatile char* from, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    const unsigned char c = (unsigned char)from[i];
    if (c != 0 && c != 0xd0 && c != 0xdb && c != 0xdf) return false;
  }
  return true;
}

// function(argument) in a thread of its own, which has ended afterwards.
static inline void in_thread(void* (*function)(void*), void* argument) {
  pthread_t thread;
  pthread_create(&thread, NULL, function, argument);
  pthread_join(thread, NULL);
}

// One of many blocks, so that others of its size lie on both sides.
static inline char* block_among_others(size_t bytes) {
  char* blocks[9];
  for (int i = 0; i < 9; ++i) blocks[i] = (char*)malloc(bytes);
  for (int i = 0; i < 9; ++i) {
    int before = 0;
    for (int k = 0; k < 9; ++k) before += blocks[k] < blocks[i];
    if (before == 4) return blocks[i];
  }
  abort();
}

// main's result: whoever gets so far says so.
static inline int end(void) { return write(STDOUT_FILENO, "end\n", 4) == 4 ? 0 : 3; }
// The same, unless what was to hold did not.
static inline int end_if(bool holds) { return holds ? end() : 2; }
