// Every function of the malloc family is there, and comes from the library that serves malloc:
// one name left to libc would mix two heaps.

#include <dlfcn.h>

#include "support/expect.h"

static const char* const kInGlibc[] = {"malloc",
                                       "calloc",
                                       "realloc",
                                       "reallocarray",
                                       "free",
                                       "memalign",
                                       "aligned_alloc",
                                       "posix_memalign",
                                       "valloc",
                                       "pvalloc",
                                       "malloc_usable_size",
                                       "malloc_trim",
                                       "mallopt",
                                       "mallinfo",
                                       "mallinfo2",
                                       "malloc_info",
                                       "malloc_stats",
                                       "__libc_malloc",
                                       "__libc_free",
                                       "__libc_calloc",
                                       "__libc_realloc",
                                       "__libc_memalign",
                                       "__libc_valloc",
                                       "__libc_pvalloc",
                                       "__libc_mallopt",
                                       "__libc_mallinfo"};
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
  for (size_t i = 0; i < sizeof kInGlibc / sizeof kInGlibc[0]; ++i)
    check_name(kInGlibc[i], under_mmt());
  if (!under_mmt()) return 0;
  for (size_t i = 0; i < sizeof kOurs / sizeof kOurs[0]; ++i) check_name(kOurs[i], true);
  return 0;
}
