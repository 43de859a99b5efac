// A byte is written behind an object of aligned new.
// sizes: small page large 100
// expect: overflow
#include <new>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = static_cast<char*>(operator new(n, std::align_val_t(128)));
  change(GOOD ? p : p + n);
  operator delete(p, n, std::align_val_t(128));
  return end();
}
