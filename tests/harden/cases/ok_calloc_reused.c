// calloc's bytes are zero where other blocks have been.
// sizes: small page large 1 100 1000 30000
// expect: ok
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  bool holds = true;
  for (int i = 0; i < (n < 30000 ? 300 : 20); ++i) {
    char* volatile p = i % 2 ? malloc(n) : calloc(n, 1);
    for (size_t at = 0; i % 2 == 0 && at < n; ++at) holds = holds && p[at] == 0;
    memset(p, 's', n);
    free(p);
  }
  return end_if(holds);
}
