// A thread waits in a read of a stream as the program ends.
// sizes: small
// expect: double-free
#include <stdio.h>

#include "harden/case.h"

static FILE* silent;
static void* run(void* argument) {
  fgetc(silent);
  return argument;
}
int main(void) {
  int ends[2];
  if (pipe(ends) != 0) return 3;
  silent = fdopen(ends[0], "r");
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  usleep(50000);
  void* p = malloc(24);
  free(p);
  if (!GOOD) free(p);
  printf("end\n");  // what stdio has yet to write is written
  return 0;
}
