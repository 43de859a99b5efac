// Objects and arrays come and go by the names that belong together.
// sizes: 1 small 100 page 30000 large
// expect: ok
#include <new>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  constexpr std::align_val_t kWide{128};
  for (int i = 0; i < (n < 30000 ? 300 : 10); ++i) {
    operator delete(operator new(n));
    operator delete(operator new(n), n);
    operator delete(operator new(n, std::nothrow), std::nothrow);
    operator delete[](operator new[](n));
    operator delete[](operator new[](n), n);
    operator delete(operator new(n, kWide), kWide);
    operator delete(operator new(n, kWide), n, kWide);
    operator delete[](operator new[](n, kWide), n, kWide);
  }
  return end();
}
