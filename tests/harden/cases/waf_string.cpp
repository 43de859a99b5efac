// The bytes of a string are written after they have moved.
// sizes: 100 page
// expect: write-after-free
#include <string>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  {
    std::string text(n, 'a');
    char* volatile p = &text[0];
    if (!GOOD) text.append(5 * n, 'b');
    p[0] = 'x';
  }
  return end();
}
