// The elements of a vector are read after it has been emptied.
// sizes: small page large
// expect: neutral
// expect large: neutral | fault
#include <vector>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  std::vector<char> all(n, GOOD ? '\0' : 's');
  const char* volatile p = all.data();
  if (!GOOD) std::vector<char>().swap(all);
  return end_if(is_neutral(p, n));
}
