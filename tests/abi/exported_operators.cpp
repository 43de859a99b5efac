// A C++ program that replaces no operator new or delete has all of them from the library that
// serves malloc, which are the shorter way.
// @only mmt layered protocol

#include <dlfcn.h>

#include <new>

#include "support/expect.h"

static const char* const kOperators[] = {"_Znwm",
                                         "_Znam",
                                         "_ZnwmRKSt9nothrow_t",
                                         "_ZnamRKSt9nothrow_t",
                                         "_ZdlPv",
                                         "_ZdaPv",
                                         "_ZdlPvm",
                                         "_ZdaPvm",
                                         "_ZdlPvRKSt9nothrow_t",
                                         "_ZdaPvRKSt9nothrow_t",
                                         "_ZnwmSt11align_val_t",
                                         "_ZnamSt11align_val_t",
                                         "_ZnwmSt11align_val_tRKSt9nothrow_t",
                                         "_ZnamSt11align_val_tRKSt9nothrow_t",
                                         "_ZdlPvSt11align_val_t",
                                         "_ZdaPvSt11align_val_t",
                                         "_ZdlPvmSt11align_val_t",
                                         "_ZdaPvmSt11align_val_t",
                                         "_ZdlPvSt11align_val_tRKSt9nothrow_t",
                                         "_ZdaPvSt11align_val_tRKSt9nothrow_t"};

int main() {
  operator delete(operator new(1));
  Dl_info of_malloc;
  EXPECT(dladdr(dlsym(RTLD_DEFAULT, "malloc"), &of_malloc) != 0);
  for (const char* name : kOperators) {
    Dl_info info;
    void* const symbol = dlsym(RTLD_DEFAULT, name);
    EXPECT(symbol != nullptr && dladdr(symbol, &info) != 0, "%s", name);
    EXPECT(info.dli_fbase == of_malloc.dli_fbase, "%s is in %s", name, info.dli_fname);
  }
  return 0;
}
