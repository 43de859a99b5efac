// In a program that defines malloc and free itself, operator new and delete lead to these, as the
// C++ runtime's do.

#include <dlfcn.h>

#include <new>
#include <string>

#include "support/expect.h"

extern const int proof_of_preload_elsewhere;
const int proof_of_preload_elsewhere = 1;  // malloc is this program's own

static long taken = 0;
static long given = 0;

extern "C" void* malloc(size_t size) {
  using Next = void*(size_t);
  static Next* const next = reinterpret_cast<Next*>(dlsym(RTLD_NEXT, "malloc"));
  ++taken;
  return next(size);
}
extern "C" void free(void* block) {
  using Next = void(void*);
  static Next* const next = reinterpret_cast<Next*>(dlsym(RTLD_NEXT, "free"));
  ++given;
  next(block);
}

int main() {
  constexpr int kCount = 100;
  const long taken_before = taken;
  const long given_before = given;
  for (int i = 0; i < kCount; ++i) {
    void* block = operator new(100);
    OPAQUE(block);
    operator delete (block, size_t{100});
    block = operator new[](100, std::nothrow);
    OPAQUE(block);
    operator delete[](block);
    std::string text(100, 'x');
    OPAQUE(block);
  }
  EXPECT(taken - taken_before == 3 * kCount && given - given_before == 3 * kCount,
         "%ld taken, %ld given", taken - taken_before, given - given_before);
  return 0;
}
