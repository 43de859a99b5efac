// What is libc's own is found by its name, whoever else has that.
#include "sys/linux/libc_function.h"

#include <dlfcn.h>
#include <time.h>
#include <unistd.h>

#include <gtest/gtest.h>

// Stands before libc's.
extern "C" __attribute__((visibility("default"))) int getdtablesize() noexcept { return -7; }

namespace mmt::sys {
namespace {

using AnyName = int(int);
struct MinusTwo {
  int operator()(int) const { return -2; }
};

TEST(LibcFunction, IsTheOneThatEverybodyFinds) {
  for (const char* name :
       {"clock_gettime", "pthread_setspecific", "getauxval", "dl_iterate_phdr"}) {
    EXPECT_NE(libc_function(name), nullptr) << name;
    void* const libc = ::dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    EXPECT_EQ(libc_function(name), ::dlsym(libc, name)) << name;
  }
}

TEST(LibcFunction, IsLibcsThoughAnotherStandsBeforeIt) {
  ASSERT_EQ(::getdtablesize(), -7);
  using Found = LibcFunction<"getdtablesize", int(), decltype([] { return -1; })>;
  EXPECT_GT(Found::call(), 0);
}

TEST(LibcFunction, IsMissingWhereLibcHasNone) {
  EXPECT_EQ(libc_function("no_such_function"), nullptr);
  EXPECT_EQ(libc_function(""), nullptr);
  using None = LibcFunction<"no_such_function", AnyName, MinusTwo>;
  EXPECT_EQ(None::call(1), -2);
  EXPECT_EQ(None::call(1), -2);
}

}  // namespace
}  // namespace mmt::sys
