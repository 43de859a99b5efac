// Objects that no system can give: new throws, or returns a null pointer.
// sizes: 0x7fffffffffffffff 0xffffffffffffffff
// expect: ok
#include <new>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  bool has_thrown = false;
  try {
    void* volatile p = operator new(n);
    (void)p;
  } catch (const std::bad_alloc&) {
    has_thrown = true;
  }
  void* volatile none = operator new(n, std::nothrow);
  return end_if(has_thrown && none == nullptr);
}
