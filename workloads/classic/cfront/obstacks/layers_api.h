// The names of <obstack.h> that the compiler uses, over ObstackLayers, a composition of heap layers
// that the including header has chosen. The compiler's sources are compiled as C++ then.
#pragma once

#include <cstddef>

struct obstack {
  ObstackLayers heap;
};

[[noreturn, gnu::cold]] inline void obstack_fail() {
  cfront_fail(kStatusWrong, "memory exhausted");
}

inline void obstack_init(obstack*) {}

inline void* obstack_alloc(obstack* h, int bytes) {
  void* object = h->heap.malloc(static_cast<size_t>(bytes));
  if (__builtin_expect(object == nullptr, 0)) obstack_fail();
  return object;
}

inline void obstack_free(obstack* h, void* object) {
  if (object == nullptr) {
    h->heap.clear();
  } else {
    h->heap.free(object);
  }
}

inline void obstack_grow(obstack* h, const void* data, int bytes) {
  if (__builtin_expect(!h->heap.grow(data, static_cast<size_t>(bytes)), 0)) obstack_fail();
}

inline void obstack_1grow(obstack* h, char byte) {
  if (__builtin_expect(!h->heap.grow(byte), 0)) obstack_fail();
}

inline unsigned obstack_object_size(const obstack* h) {
  return static_cast<unsigned>(h->heap.object_size());
}

inline void* obstack_finish(obstack* h) {
  void* object = h->heap.finish();
  if (__builtin_expect(object == nullptr, 0)) obstack_fail();
  return object;
}

inline void* obstack_copy(obstack* h, const void* data, int bytes) {
  obstack_grow(h, data, bytes);
  return obstack_finish(h);
}

inline void* obstack_copy0(obstack* h, const void* data, int bytes) {
  obstack_grow(h, data, bytes);
  obstack_1grow(h, '\0');
  return obstack_finish(h);
}
