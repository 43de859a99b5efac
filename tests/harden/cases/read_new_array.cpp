// A new array is read that was never written; others of its size were before.
// presets: async sync debug openbsd phk
// sizes: small page large
// expect: neutral
#include <new>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  bool holds = true;
  for (int i = 0; i < (n < 30000 ? 100 : 10); ++i) {
    int* volatile p = new int[n / 4];
    if (GOOD) memset(p, 0, n);
    holds = holds && is_neutral(reinterpret_cast<char*>(p), n / 4 * 4);
    memset(p, 's', n / 4 * 4);
    delete[] p;
  }
  return end_if(holds);
}
