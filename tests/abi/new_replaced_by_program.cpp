// A program's own operator new and delete win over the library's, and build on its malloc.

#include <new>
#include <string>
#include <vector>

#include "support/expect.h"

static long taken = 0;
static long given = 0;

void* operator new(size_t size) {
  ++taken;
  void* p = malloc(size);
  if (p == nullptr) throw std::bad_alloc{};
  return p;
}
void operator delete(void* p) noexcept {
  ++given;
  free(p);
}
void operator delete(void* p, size_t) noexcept { operator delete(p); }

int main() {
  {
    std::vector<std::string> words;
    for (int i = 0; i < 1000; ++i) words.push_back(std::string(100, 'x'));
  }
  EXPECT(taken >= 1000 && taken == given, "%ld taken, %ld given", taken, given);
  return 0;
}
