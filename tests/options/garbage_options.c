// Options that are binary rubbish and far too long: no crash, and the program runs.
// @stdout ^ran$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  static char rubbish[100000];
  if (argc > 1) return puts("ran") < 0;
  for (unsigned i = 0; i < sizeof rubbish - 1; ++i) rubbish[i] = (char)(1 + i * i % 255);
  setenv("MMT_OPTIONS", rubbish, 1);
  setenv("MMT_DECAY", rubbish, 1);
  setenv("MMT_", "", 1);
  return execl("/proc/self/exe", argv[0], "again", (char*)NULL);
}
