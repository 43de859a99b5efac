// Every function of the malloc family is there, and comes from the library that serves malloc:
// one name left to libc would mix two heaps.

#include <dlfcn.h>

#include "support/expect.h"
#include "support/malloc_names.h"

static const char* const kInGlibcToo[] = {"__libc_mallopt", "__libc_mallinfo"};
static const char* const kOurs[] = {"cfree", "free_sized", "free_aligned_sized"};

static void check_name(const char* name, bool from_malloc) {
  Dl_info of_malloc;
  Dl_info info;
  void* symbol = dlsym(RTLD_DEFAULT, name);
  EXPECT(symbol != NULL, "%s", name);
  EXPECT(dladdr(dlsym(RTLD_DEFAULT, "malloc"), &of_malloc) && dladdr(symbol, &info));
  EXPECT(!from_malloc || info.dli_fbase == of_malloc.dli_fbase, "%s is in %s", name,
         info.dli_fname);
}

int main(void) {
  for (size_t i = 0; i < kMallocNameCount; ++i) check_name(kMallocNames[i], under_mmt());
  for (size_t i = 0; i < sizeof kInGlibcToo / sizeof kInGlibcToo[0]; ++i)
    check_name(kInGlibcToo[i], under_mmt());
  if (!under_mmt()) return 0;
  for (size_t i = 0; i < sizeof kOurs / sizeof kOurs[0]; ++i) check_name(kOurs[i], true);
  return 0;
}
