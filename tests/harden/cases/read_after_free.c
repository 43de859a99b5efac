// A freed block is read: what it held is not there any more.
// presets: async sync debug openbsd phk
// expect: neutral | fault
// sizes: small page large 40000000 huge 1 100 30000
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  memset(p, GOOD ? 0 : 's', n < 30000 ? n : 30000);
  if (!GOOD) free(p);
  const bool holds = is_neutral(p, n < 30000 ? n : 30000);
  if (GOOD) free(p);
  return end_if(holds);
}
