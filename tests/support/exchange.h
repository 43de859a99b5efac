// Blocks travel. Threads put blocks into shared mailboxes and take out what lies there, so that any
// thread frees, resizes or passes on any other's. A block carries its size and id in front of a
// pattern, and every receiver checks all of it.
#pragma once

#include "support/pattern.h"

struct Parcel {
  uint64_t size;  // of the contents
  uint64_t id;
  char bytes[];
};

__attribute__((unused)) static struct Parcel* parcel_fill(struct Parcel* p, size_t size,
                                                          uint64_t id) {
  EXPECT(p != NULL, "size %zu", size);
  p->size = size;
  p->id = id;
  fill_pattern(p->bytes, size, id);
  return p;
}

__attribute__((unused)) static void parcel_check(const struct Parcel* p) {
  check_pattern(p->bytes, p->size, p->id);
}

// A new parcel by one of the allocating functions.
__attribute__((unused)) static struct Parcel* parcel_new(uint64_t* seed, size_t size) {
  uint64_t r = next_random(seed);
  size_t whole = sizeof(struct Parcel) + size;
  struct Parcel* p = NULL;
  switch (r % 8) {
    case 0:
      p = (struct Parcel*)calloc(1, whole);
      EXPECT(p != NULL && p->size == 0 &&
             (size == 0 || (p->bytes[0] == 0 && p->bytes[size - 1] == 0)));
      break;
    case 1: {
      void* aligned = NULL;
      size_t alignment = (size_t)16 << (r / 8 % 9);
      EXPECT(posix_memalign(&aligned, alignment, whole) == 0);
      EXPECT((uintptr_t)aligned % alignment == 0);
      p = (struct Parcel*)aligned;
      break;
    }
    default:
      p = (struct Parcel*)malloc(whole);
  }
  return parcel_fill(p, size, next_random(seed));
}

__attribute__((unused)) static struct Parcel* parcel_resize(struct Parcel* p, size_t size,
                                                            uint64_t id) {
  size_t before = p->size;
  uint64_t old_id = p->id;
  p = (struct Parcel*)realloc(p, sizeof *p + size);
  EXPECT(p != NULL);
  check_prefix(p->bytes, before < size ? before : size, before, old_id);
  return parcel_fill(p, size, id);
}

// Sizes as programs have them: mostly small, some pages, few large (up to `large`).
__attribute__((unused)) static size_t parcel_size(uint64_t* seed, size_t large) {
  uint64_t r = next_random(seed);
  uint64_t s = r >> 12;
  if (large != 0 && r % 1024 == 0) return s % large;
  if (r % 64 == 0) return s % 40000;
  return s % ((size_t)16 << (r / 64 % 8));
}
