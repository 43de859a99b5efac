// An object with a block of its own is copied as it is, and both free the block.
// expect: double-free
#include <new>

#include "harden/case.h"

struct Text {
  explicit Text(size_t bytes) : bytes_(new char[bytes]) {}
  ~Text() { delete[] bytes_; }
  char* bytes_;
};
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  {
    Text first(n);
    Text second(n);
    if (!GOOD) {
      delete[] second.bytes_;
      second.bytes_ = first.bytes_;
    }
  }
  return end();
}
