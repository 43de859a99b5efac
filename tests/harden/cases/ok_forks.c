// The child of a fork frees what its parent has allocated, and so does the parent.
// sizes: small page large
// expect: ok
#include <sys/wait.h>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* blocks[20];
  for (int i = 0; i < 20; ++i) memset(blocks[i] = malloc(n), 's', n);
  const pid_t child = fork();
  for (int i = 0; i < 20; ++i) blocks[i] = realloc(blocks[i], 2 * n);
  for (int i = 0; i < 20; ++i) free(blocks[i]);
  if (child == 0) exit(0);
  int status = 1;
  waitpid(child, &status, 0);
  return end_if(status == 0);
}
