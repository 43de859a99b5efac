// A variable on a thread's stack is freed.
// sizes: small
// expect: invalid-free
#include "harden/case.h"

static void* run(void* unused) {
  char variable[64] __attribute__((aligned(16))) = "stack";
  void* volatile p = GOOD ? malloc(64) : variable;
  free(p);
  return unused;
}
int main() {
  in_thread(run, NULL);
  return end();
}
