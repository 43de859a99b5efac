// A freed block is written, and a thread ends the program.
// sizes: small page
// expect: write-after-free
#include "harden/case.h"

static void* finish(void* unused) {
  (void)unused;
  exit(end());
}
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  if (!GOOD) free(p);
  p[0] = 'x';
  if (GOOD) free(p);
  in_thread(finish, NULL);
  return 1;
}
