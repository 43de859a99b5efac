// The bytes of a string are read after it has ended.
// sizes: 100 page large
// expect: neutral
// expect large: neutral | fault
#include <string>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  const char* volatile p = nullptr;
  std::string longer(n, GOOD ? '\0' : 's');
  {
    std::string text(n, GOOD ? '\0' : 's');
    p = GOOD ? longer.data() : text.data();
  }
  return end_if(is_neutral(p, n));
}
