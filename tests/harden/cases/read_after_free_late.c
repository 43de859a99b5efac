// A freed block is read after others have been allocated.
// expect: neutral
// expect large: neutral | fault
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  memset(p, GOOD ? 0 : 's', n);
  if (!GOOD) free(p);
  for (int i = 0; i < 100; ++i) *(volatile char*)malloc(n) = 's';
  const bool holds = is_neutral(p, n);
  if (GOOD) free(p);
  return end_if(holds);
}
