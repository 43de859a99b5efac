// Obstacks: stacks of objects of any size, the last of which may grow. Freeing an object frees all
// that came after it. Plain C (C99 on) and C++11, header only: include it where <obstack.h> stood.
//
// The interface is that of glibc, with `int` sizes; with MMT_OBSTACK_INTERFACE defined as 2 it is
// that of libiberty and gnulib, with `size_t` sizes. Where those have macros, these are functions:
// every argument is evaluated once. The exceptions are what can be assigned to (obstack_chunk_size,
// obstack_alignment_mask, obstack_next_free) and what takes functions of any type.
//
// Invariant: object_base <= next_free <= chunk_limit, all within `chunk`. A chunk that cannot be
// had calls obstack_alloc_failed_handler, which must not return; the obstack is then as it was.
// Objects are aligned to alignment_mask + 1, a power of two. One thread at a time for one obstack.
#pragma once

#ifdef _OBSTACK_H
#error "<mmt/obstack.h> stands for <obstack.h>: include one of the two"
#endif
// A later <obstack.h> adds nothing.
#define _OBSTACK_H 1

#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef MMT_OBSTACK_INTERFACE
#define MMT_OBSTACK_INTERFACE 1
#endif

#if MMT_OBSTACK_INTERFACE == 1
typedef int mmt_obstack_length;         // bytes of an object
typedef unsigned mmt_obstack_extent;    // bytes that an object has, or has room for
typedef long mmt_obstack_chunk_length;  // bytes of a chunk
typedef int mmt_obstack_total;          // bytes of all chunks
#define MMT_OBSTACK_LARGEST_CHUNK LONG_MAX
#elif MMT_OBSTACK_INTERFACE == 2
typedef size_t mmt_obstack_length;
typedef size_t mmt_obstack_extent;
typedef size_t mmt_obstack_chunk_length;
typedef size_t mmt_obstack_total;
#define MMT_OBSTACK_LARGEST_CHUNK PTRDIFF_MAX
#else
#error "MMT_OBSTACK_INTERFACE is 1 (int sizes, as in glibc) or 2 (size_t sizes, as in libiberty)"
#endif

#ifdef __cplusplus
extern "C" {
#endif

// What gets and gives back chunks, with the user's argument first or without. `void (*)(void)`
// stands for functions of any type.
typedef void* (*mmt_obstack_plain_alloc)(mmt_obstack_chunk_length);
typedef void* (*mmt_obstack_extra_alloc)(void*, mmt_obstack_chunk_length);
typedef void (*mmt_obstack_plain_free)(void*);
typedef void (*mmt_obstack_extra_free)(void*, void*);
typedef void (*mmt_obstack_function)(void);

struct _obstack_chunk {
  char* limit;                  // the end of this chunk
  struct _obstack_chunk* prev;  // the chunk before it, or null
  char contents[4];             // objects begin here, aligned
};

struct obstack {
  mmt_obstack_chunk_length chunk_size;  // what a chunk has at least
  struct _obstack_chunk* chunk;         // the one in use
  char* object_base;                    // where the growing object begins
  char* next_free;                      // where it ends
  char* chunk_limit;
  mmt_obstack_length alignment_mask;
  union {
    mmt_obstack_plain_alloc plain;
    mmt_obstack_extra_alloc extra;
  } chunkfun;
  union {
    mmt_obstack_plain_free plain;
    mmt_obstack_extra_free extra;
  } freefun;
  void* extra_arg;
  unsigned use_extra_arg : 1;       // the functions take extra_arg first
  unsigned maybe_empty_object : 1;  // an object of no bytes may lie where the growing one begins
};

// --- when no memory can be had ---

__attribute__((cold, noreturn)) static inline void mmt_obstack_print_and_exit(void);

// One of each in a process, however many sources include this.
__attribute__((weak, visibility("default"))) int mmt_obstack_exit_failure = EXIT_FAILURE;
__attribute__((weak, visibility("default"))) void (*mmt_obstack_alloc_failed_handler)(void) =
    mmt_obstack_print_and_exit;
// The C library has variables of these names; they stay what its own obstacks use.
#define obstack_exit_failure mmt_obstack_exit_failure
#define obstack_alloc_failed_handler mmt_obstack_alloc_failed_handler

static inline void mmt_obstack_print_and_exit(void) {
  fputs("memory exhausted\n", stderr);
  exit(obstack_exit_failure);
}

__attribute__((cold, noreturn)) static inline void mmt_obstack_fail(void) {
  obstack_alloc_failed_handler();
  abort();
}

// --- chunks ---

static inline char* mmt_obstack_aligned(char* address, mmt_obstack_length mask) {
  return address + (-(uintptr_t)address & (uintptr_t)mask);
}

static inline char* mmt_obstack_first(struct _obstack_chunk* chunk, mmt_obstack_length mask) {
  return mmt_obstack_aligned(chunk->contents, mask);
}

static inline size_t mmt_obstack_room(const struct obstack* h) {
  return (size_t)(h->chunk_limit - h->next_free);
}

// Never null.
static inline struct _obstack_chunk* mmt_obstack_get_chunk(struct obstack* h, size_t bytes) {
  if (bytes > (size_t)MMT_OBSTACK_LARGEST_CHUNK) mmt_obstack_fail();
  mmt_obstack_chunk_length size = (mmt_obstack_chunk_length)bytes;
  void* chunk = h->use_extra_arg ? h->chunkfun.extra(h->extra_arg, size) : h->chunkfun.plain(size);
  if (chunk == NULL) mmt_obstack_fail();
  return (struct _obstack_chunk*)chunk;
}

static inline void mmt_obstack_drop_chunk(struct obstack* h, struct _obstack_chunk* chunk) {
  if (h->use_extra_arg) {
    h->freefun.extra(h->extra_arg, chunk);
  } else {
    h->freefun.plain(chunk);
  }
}

// Makes the first chunk; the functions are set.
static inline int mmt_obstack_start(struct obstack* h, size_t size, size_t alignment) {
  // Fit for any type; a chunk fills a page together with what malloc puts around it.
  const size_t usual_alignment = 16, usual_size = 4096 - 32;
  if (alignment == 0) alignment = usual_alignment;
  if (size == 0) size = usual_size;
  // The first object must have a place to begin at.
  const size_t least = offsetof(struct _obstack_chunk, contents) + alignment;
  if (size < least) size = least;
  h->alignment_mask = (mmt_obstack_length)(alignment - 1);
  struct _obstack_chunk* chunk = mmt_obstack_get_chunk(h, size);
  h->chunk_size = (mmt_obstack_chunk_length)size;
  h->chunk = chunk;
  chunk->limit = h->chunk_limit = (char*)chunk + size;
  chunk->prev = NULL;
  h->object_base = h->next_free = mmt_obstack_first(chunk, h->alignment_mask);
  h->maybe_empty_object = 0;
  return 1;
}

static inline int _obstack_begin(struct obstack* h, mmt_obstack_length size,
                                 mmt_obstack_length alignment, mmt_obstack_plain_alloc chunkfun,
                                 mmt_obstack_plain_free freefun) {
  h->chunkfun.plain = chunkfun;
  h->freefun.plain = freefun;
  h->extra_arg = NULL;
  h->use_extra_arg = 0;
  return mmt_obstack_start(h, (size_t)size, (size_t)alignment);
}

static inline int _obstack_begin_1(struct obstack* h, mmt_obstack_length size,
                                   mmt_obstack_length alignment, mmt_obstack_extra_alloc chunkfun,
                                   mmt_obstack_extra_free freefun, void* arg) {
  h->chunkfun.extra = chunkfun;
  h->freefun.extra = freefun;
  h->extra_arg = arg;
  h->use_extra_arg = 1;
  return mmt_obstack_start(h, (size_t)size, (size_t)alignment);
}

// Moves the growing object to a new chunk in which it has room for `more` bytes, and some to spare.
__attribute__((cold)) static inline void mmt_obstack_move(struct obstack* h, size_t more) {
  const size_t have = (size_t)(h->next_free - h->object_base);
  const size_t spare = (have >> 3) + (size_t)h->alignment_mask + 100;
  // What the object has fits memory, so only `more` can be too much.
  if (more > (size_t)MMT_OBSTACK_LARGEST_CHUNK - spare - have) mmt_obstack_fail();
  size_t size = have + more + spare;
  if (size < (size_t)h->chunk_size) size = (size_t)h->chunk_size;
  struct _obstack_chunk* before = h->chunk;
  struct _obstack_chunk* chunk = mmt_obstack_get_chunk(h, size);
  char* base = mmt_obstack_first(chunk, h->alignment_mask);
  memcpy(base, h->object_base, have);
  chunk->limit = (char*)chunk + size;
  chunk->prev = before;
  // A chunk that held nothing but this object is of no more use.
  if (!h->maybe_empty_object && h->object_base == mmt_obstack_first(before, h->alignment_mask)) {
    chunk->prev = before->prev;
    mmt_obstack_drop_chunk(h, before);
  }
  h->chunk = chunk;
  h->chunk_limit = chunk->limit;
  h->object_base = base;
  h->next_free = base + have;
  h->maybe_empty_object = 0;
}

static inline void _obstack_newchunk(struct obstack* h, mmt_obstack_length length) {
  mmt_obstack_move(h, (size_t)length);
}

static inline void mmt_obstack_reserve(struct obstack* h, size_t more) {
  if (__builtin_expect(mmt_obstack_room(h) < more, 0)) mmt_obstack_move(h, more);
}

static inline int mmt_obstack_holds(struct _obstack_chunk* chunk, const void* object) {
  return (uintptr_t)chunk < (uintptr_t)object && (uintptr_t)object <= (uintptr_t)chunk->limit;
}

// Whether an object, or address of one, is in a chunk of this obstack.
static inline int _obstack_allocated_p(struct obstack* h, void* object) {
  struct _obstack_chunk* chunk = h->chunk;
  while (chunk != NULL && !mmt_obstack_holds(chunk, object)) chunk = chunk->prev;
  return chunk != NULL;
}

// Frees an object and all that came after it; null frees every chunk, and the obstack is to be
// begun anew. An address that is in no chunk aborts.
static inline void _obstack_free(struct obstack* h, void* object) {
  struct _obstack_chunk* chunk = h->chunk;
  while (chunk != NULL && !mmt_obstack_holds(chunk, object)) {
    struct _obstack_chunk* prev = chunk->prev;
    mmt_obstack_drop_chunk(h, chunk);
    chunk = prev;
    // Whether the chunk before holds an empty object at its end is no longer known.
    h->maybe_empty_object = 1;
  }
  h->chunk = chunk;
  if (chunk != NULL) {
    h->object_base = h->next_free = (char*)object;
    h->chunk_limit = chunk->limit;
  } else if (object != NULL) {
    abort();
  }
}

static inline mmt_obstack_total _obstack_memory_used(struct obstack* h) {
  size_t bytes = 0;
  for (struct _obstack_chunk* chunk = h->chunk; chunk != NULL; chunk = chunk->prev) {
    bytes += (size_t)(chunk->limit - (char*)chunk);
  }
  return (mmt_obstack_total)bytes;
}
static inline mmt_obstack_total obstack_memory_used(struct obstack* h) {
  return _obstack_memory_used(h);
}

// --- beginning; the user's obstack_chunk_alloc and obstack_chunk_free get and give back chunks ---

#define obstack_specify_allocation(h, size, alignment, chunkfun, freefun)   \
  _obstack_begin((h), (size), (alignment),                                  \
                 (mmt_obstack_plain_alloc)(mmt_obstack_function)(chunkfun), \
                 (mmt_obstack_plain_free)(mmt_obstack_function)(freefun))
#define obstack_specify_allocation_with_arg(h, size, alignment, chunkfun, freefun, arg) \
  _obstack_begin_1((h), (size), (alignment),                                            \
                   (mmt_obstack_extra_alloc)(mmt_obstack_function)(chunkfun),           \
                   (mmt_obstack_extra_free)(mmt_obstack_function)(freefun), (arg))
#define obstack_begin(h, size) \
  obstack_specify_allocation((h), (size), 0, obstack_chunk_alloc, obstack_chunk_free)
#define obstack_init(h) obstack_begin((h), 0)

static inline void mmt_obstack_set_chunkfun(struct obstack* h, mmt_obstack_function f) {
  if (h->use_extra_arg) {
    h->chunkfun.extra = (mmt_obstack_extra_alloc)f;
  } else {
    h->chunkfun.plain = (mmt_obstack_plain_alloc)f;
  }
}
static inline void mmt_obstack_set_freefun(struct obstack* h, mmt_obstack_function f) {
  if (h->use_extra_arg) {
    h->freefun.extra = (mmt_obstack_extra_free)f;
  } else {
    h->freefun.plain = (mmt_obstack_plain_free)f;
  }
}
#define obstack_chunkfun(h, f) mmt_obstack_set_chunkfun((h), (mmt_obstack_function)(f))
#define obstack_freefun(h, f) mmt_obstack_set_freefun((h), (mmt_obstack_function)(f))

// --- what an obstack is like ---

#define obstack_base(h) ((void*)(h)->object_base)
#define obstack_next_free(h) ((h)->next_free)
#define obstack_chunk_size(h) ((h)->chunk_size)
#define obstack_alignment_mask(h) ((h)->alignment_mask)

// Bytes of the growing object.
static inline mmt_obstack_extent obstack_object_size(const struct obstack* h) {
  return (mmt_obstack_extent)(h->next_free - h->object_base);
}
// Bytes by which it can grow where it lies.
static inline mmt_obstack_extent obstack_room(const struct obstack* h) {
  return (mmt_obstack_extent)mmt_obstack_room(h);
}
// Whether nothing was allocated, or all of it freed.
static inline int obstack_empty_p(const struct obstack* h) {
  return h->chunk->prev == NULL && h->next_free == mmt_obstack_first(h->chunk, h->alignment_mask);
}

// --- growing; the _fast forms need room ---

static inline void obstack_make_room(struct obstack* h, mmt_obstack_length length) {
#if MMT_OBSTACK_INTERFACE == 1
  if (length < 0) return;
#endif
  mmt_obstack_reserve(h, (size_t)length);
}

// A negative length makes the object smaller.
static inline void obstack_blank_fast(struct obstack* h, mmt_obstack_length length) {
  h->next_free += (ptrdiff_t)length;
}
// As above with `int` sizes; what `size_t` cannot express needs obstack_blank_fast.
static inline void obstack_blank(struct obstack* h, mmt_obstack_length length) {
  obstack_make_room(h, length);
  obstack_blank_fast(h, length);
}

static inline void obstack_1grow_fast(struct obstack* h, int byte) { *h->next_free++ = (char)byte; }
static inline void obstack_ptr_grow_fast(struct obstack* h, const void* pointer) {
  memcpy(h->next_free, &pointer, sizeof pointer);
  h->next_free += sizeof pointer;
}
static inline void obstack_int_grow_fast(struct obstack* h, int number) {
  memcpy(h->next_free, &number, sizeof number);
  h->next_free += sizeof number;
}

static inline void obstack_1grow(struct obstack* h, int byte) {
  mmt_obstack_reserve(h, 1);
  obstack_1grow_fast(h, byte);
}
static inline void obstack_ptr_grow(struct obstack* h, const void* pointer) {
  mmt_obstack_reserve(h, sizeof pointer);
  obstack_ptr_grow_fast(h, pointer);
}
static inline void obstack_int_grow(struct obstack* h, int number) {
  mmt_obstack_reserve(h, sizeof number);
  obstack_int_grow_fast(h, number);
}

// A negative length is a failure, as more than there is.
static inline void obstack_grow(struct obstack* h, const void* data, mmt_obstack_length length) {
  mmt_obstack_reserve(h, (size_t)length);
  memcpy(h->next_free, data, (size_t)length);
  h->next_free += length;
}
// Grows by a copy and a zero byte.
static inline void obstack_grow0(struct obstack* h, const void* data, mmt_obstack_length length) {
  const size_t bytes = (size_t)length;
  if (__builtin_expect(mmt_obstack_room(h) <= bytes, 0)) {
    mmt_obstack_move(h, bytes == SIZE_MAX ? bytes : bytes + 1);
  }
  memcpy(h->next_free, data, bytes);
  h->next_free += length;
  obstack_1grow_fast(h, 0);
}

// The growing object is done; the next one begins behind it, aligned.
static inline void* obstack_finish(struct obstack* h) {
  char* object = h->object_base;
  if (h->next_free == object) h->maybe_empty_object = 1;
  const size_t room = mmt_obstack_room(h);
  const size_t gap = -(uintptr_t)h->next_free & (uintptr_t)h->alignment_mask;
  h->next_free += gap < room ? gap : room;
  h->object_base = h->next_free;
  return object;
}

// --- whole objects ---

static inline void* obstack_alloc(struct obstack* h, mmt_obstack_length length) {
  obstack_blank(h, length);
  return obstack_finish(h);
}
static inline void* obstack_copy(struct obstack* h, const void* data, mmt_obstack_length length) {
  obstack_grow(h, data, length);
  return obstack_finish(h);
}
static inline void* obstack_copy0(struct obstack* h, const void* data, mmt_obstack_length length) {
  obstack_grow0(h, data, length);
  return obstack_finish(h);
}

// It works as _obstack_free.
static inline void obstack_free(struct obstack* h, void* object) {
  if ((char*)object > (char*)h->chunk && (char*)object < h->chunk_limit) {
    h->object_base = h->next_free = (char*)object;
  } else {
    _obstack_free(h, object);
  }
}

// --- formatted text, without a zero byte; the number of bytes, or what vsnprintf says if negative
// ---

static inline int mmt_obstack_vprintf(struct obstack* h, const char* format, va_list args)
    __attribute__((format(printf, 2, 0)));
static inline int mmt_obstack_printf(struct obstack* h, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
// <stdio.h> may declare functions of these names.
#define obstack_vprintf mmt_obstack_vprintf
#define obstack_printf mmt_obstack_printf

static inline int mmt_obstack_vprintf(struct obstack* h, const char* format, va_list args) {
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(h->next_free, mmt_obstack_room(h), format, args);
  if (length >= 0 && (size_t)length >= mmt_obstack_room(h)) {
    mmt_obstack_reserve(h, (size_t)length + 1);
    length = vsnprintf(h->next_free, (size_t)length + 1, format, again);
  }
  va_end(again);
  if (length > 0) h->next_free += length;
  return length;
}

static inline int mmt_obstack_printf(struct obstack* h, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const int length = mmt_obstack_vprintf(h, format, args);
  va_end(args);
  return length;
}

#ifdef __cplusplus
}
#endif
