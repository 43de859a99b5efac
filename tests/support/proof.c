// Proof that the library under test serves malloc. Linked into every test program; does nothing
// unless PRELOAD_PROOF_LIB names the library. Runs as the first constructor, so that a program
// which was started without the preload fails instead of passing on glibc.

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void die(const char* text) {
  (void)!write(2, text, strlen(text));
  _exit(97);
}

// A program with a malloc of its own defines this.
extern const int proof_of_preload_elsewhere __attribute__((weak));

__attribute__((constructor(101))) static void prove(void) {
  static const char* const kNames[] = {"malloc", "free", "calloc", "realloc", "posix_memalign"};
  const char* wanted = getenv("PRELOAD_PROOF_LIB");
  if (wanted == NULL) return;
  void* scope = &proof_of_preload_elsewhere ? RTLD_NEXT : RTLD_DEFAULT;
  for (unsigned i = 0; i < sizeof kNames / sizeof kNames[0]; ++i) {
    Dl_info info;
    void* symbol = dlsym(scope, kNames[i]);
    if (symbol == NULL || dladdr(symbol, &info) == 0 || strcmp(info.dli_fname, wanted) != 0)
      die("proof: the library under test does not serve this program\n");
  }
}
