// A child of vfork ends well, in a program that had a fault.
// presets: async
// sizes: small
// expect: double-free
#include <sys/wait.h>

#include "harden/case.h"

int main(int argc, char** argv) {
  char* volatile p = malloc(bytes_of(argc, argv));
  free(p);
  free(p);
  const pid_t child = vfork();
  if (child == 0) _exit(0);
  int status = 1;
  return end_if(waitpid(child, &status, 0) == child && status == 0);
}
