// Every form of operator new and delete, called by name: aligned, usable, matched by its delete.

#include <malloc.h>

#include <new>

#include "support/pattern.h"

namespace {

void check_block(void* p, size_t size, size_t alignment) {
  OPAQUE(p);
  EXPECT(p != nullptr, "size %zu alignment %zu", size, alignment);
  EXPECT(reinterpret_cast<uintptr_t>(p) % alignment == 0, "%p alignment %zu", p, alignment);
  EXPECT(malloc_usable_size(p) >= size);
  fill_pattern(p, size, size);
  check_pattern(p, size, size);
}

void plain(size_t size) {
  const std::nothrow_t& quiet = std::nothrow;
  void* p[12];
  for (int i = 0; i < 12; i += 4) {
    p[i] = operator new(size);
    p[i + 1] = operator new(size, quiet);
    p[i + 2] = operator new[](size);
    p[i + 3] = operator new[](size, quiet);
  }
  for (void* q : p) check_block(q, size, 16);
  for (int i = 0; i < 2; ++i) {
    operator delete(p[i]);
    operator delete(p[4 + i], size);
    operator delete(p[8 + i], quiet);
    operator delete[](p[2 + i]);
    operator delete[](p[6 + i], size);
    operator delete[](p[10 + i], quiet);
  }
}

void aligned(size_t size, size_t bytes) {
  const std::nothrow_t& quiet = std::nothrow;
  const std::align_val_t a{bytes};
  void* p[12];
  for (int i = 0; i < 12; i += 4) {
    p[i] = operator new(size, a);
    p[i + 1] = operator new(size, a, quiet);
    p[i + 2] = operator new[](size, a);
    p[i + 3] = operator new[](size, a, quiet);
  }
  for (void* q : p) check_block(q, size, bytes);
  for (int i = 0; i < 2; ++i) {
    operator delete(p[i], a);
    operator delete(p[4 + i], size, a);
    operator delete(p[8 + i], a, quiet);
    operator delete[](p[2 + i], a);
    operator delete[](p[6 + i], size, a);
    operator delete[](p[10 + i], a, quiet);
  }
}

}  // namespace

int main() {
  for (size_t size = 0; size < (8 << 20); size = size * 2 + 1) {
    plain(size);
    for (size_t alignment = 8; alignment <= (1 << 21); alignment *= 4) aligned(size, alignment);
  }
  operator delete(nullptr);
  operator delete[](nullptr);
  operator delete (nullptr, std::align_val_t{64});
  operator delete(nullptr, 10);
  void* a = operator new(0);
  void* b = operator new(0);
  EXPECT(a != b);
  operator delete(a);
  operator delete(b);
  return 0;
}
