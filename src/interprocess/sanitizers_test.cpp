// Which libraries are known to bring a sanitizer's malloc.
#include "interprocess/sanitizers.h"

#include <string>

#include <gtest/gtest.h>

namespace mmt::names {
namespace {

std::string name_of(const char* path) {
  const Sanitizer* sanitizer = sanitizer_of(core::whole(path));
  return sanitizer == nullptr ? "" : sanitizer->name;
}

TEST(Sanitizers, AreKnownByTheirFileNames) {
  EXPECT_EQ(name_of("/lib/x86_64-linux-gnu/libasan.so.8"), "AddressSanitizer");
  EXPECT_EQ(name_of("libtsan.so.2"), "ThreadSanitizer");
  EXPECT_EQ(name_of("/opt/gcc/lib64/liblsan.so.0.0.0"), "LeakSanitizer");
  EXPECT_EQ(name_of("/usr/lib/clang/14/lib/linux/libclang_rt.asan-x86_64.so"), "AddressSanitizer");
  EXPECT_EQ(name_of("/usr/lib/clang/19/lib/x86_64-pc-linux-gnu/libclang_rt.tsan.so"),
            "ThreadSanitizer");
}

TEST(Sanitizers, AreNoOtherLibraries) {
  for (const char* path : {"", "libubsan.so.1", "/libasan.so.8/libc.so.6", "libmyasan.so",
                           "libclang_rt.ubsan_standalone-x86_64.so", "libasan"})
    EXPECT_EQ(name_of(path), "") << path;
}

}  // namespace
}  // namespace mmt::names
