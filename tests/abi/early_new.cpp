// operator new before the allocator has been relocated: see early_calls.c.
// @without libjemalloc.so.2 libmimalloc.so.2 libtcmalloc_minimal.so.4 libtbbmalloc_proxy.so.2

#include <malloc.h>

#include "support/early.h"
#include "support/plugin.h"

int main(int argc, char** argv) {
  if (argc > 1) {
    EXPECT(*static_cast<int*>(find_in_plugin(RTLD_DEFAULT, "early_news_wrong")) == 0);
    auto** kept = static_cast<char**>(find_in_plugin(RTLD_DEFAULT, "early_news"));
    EXPECT(malloc_usable_size(kept[0]) >= 5000 && kept[0][4999] == 0);
    delete[] kept[0];
    free(kept[1]);
    char* moved = static_cast<char*>(realloc(kept[2], 100000));
    EXPECT(moved != nullptr && moved[0] == 0);
    free(moved);
    return 0;
  }
  run_before_allocator(argv, "lib_early_new.so", false);
  return 0;
}
