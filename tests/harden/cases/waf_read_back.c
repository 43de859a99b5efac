// A freed block is written and read again, as if it were there still.
// sizes: small page large
// expect: write-after-free
// expect large: write-after-free | fault
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  if (!GOOD) free(p);
  strcpy(p, "still there");
  const bool is_there = strcmp(p, "still there") == 0;
  if (GOOD) free(p);
  return end_if(is_there);
}
