// A fork's child writes to a freed block, and goes on as another program.
// sizes: small page
// expect: write-after-free
#include "harden/child.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  const pid_t child = fork();
  if (child == 0) {
    char* volatile p = malloc(n);
    if (!GOOD) free(p);
    p[5] = 'x';
    if (GOOD) free(p);
    execl("/bin/true", "true", (char*)NULL);
    _exit(2);
  }
  return end_as_child(child, 0);
}
