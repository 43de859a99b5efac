// Code is put into a block and called.
// presets: async sync debug openbsd phk
// expect: fault
#include "harden/case.h"

static void nothing(void) {}
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  memset(p, 0xc3, n);
  void (*const volatile code)(void) = GOOD ? nothing : (void (*)(void))(uintptr_t)p;
  code();
  free(p);
  return end();
}
