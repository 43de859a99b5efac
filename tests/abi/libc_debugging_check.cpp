// Beside libc's debugging library, whose own checks are on, C++ and C share blocks in threads too.
// @env GLIBC_TUNABLES=glibc.malloc.check=3
// @without libjemalloc.so.2 libmimalloc.so.2 libtcmalloc_minimal.so.4 libtbbmalloc_proxy.so.2

#include <malloc.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "support/libc_debugging.h"

static void use() {
  std::vector<std::string> all;
  for (int i = 0; i < 2000; ++i) all.push_back(std::string(static_cast<size_t>(i), 'x'));
  for (int i = 0; i < 2000; ++i) {
    auto* block = static_cast<char*>(malloc(static_cast<size_t>(i)));
    EXPECT(malloc_usable_size(block) >= static_cast<size_t>(i));
    free(realloc(block, static_cast<size_t>(i) * 2 + 1));
    delete new std::unique_ptr<int>(new int(i));
  }
  EXPECT(all[1999].size() == 1999);
}

static void check(int) {
  std::thread other(use);
  use();
  other.join();
}

int main(int argc, char** argv) { return run_beside_libc_debugging(argc, argv, check); }
