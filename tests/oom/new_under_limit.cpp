// Under RLIMIT_AS the real exhaustion: std::bad_alloc from new, a new-handler that frees a reserve
// and lets the request succeed, containers that survive.

#include <sys/resource.h>

#include <list>
#include <new>
#include <vector>

#include "support/memory.h"

namespace {

char* reserve = nullptr;
int handled = 0;

void release_reserve() {
  ++handled;
  delete[] reserve;
  reserve = nullptr;
  std::set_new_handler(nullptr);
}

}  // namespace

int main() {
  rlimit limit{200u << 20, RLIM_INFINITY};
  EXPECT(setrlimit(RLIMIT_AS, &limit) == 0);
  for (int round = 0; round < 3; ++round) {
    std::list<std::vector<char>> blocks;
    bool thrown = false;
    try {
      for (;;) blocks.emplace_back(size_t{3} << 20, 'x');
    } catch (const std::bad_alloc&) {
      thrown = true;
    }
    EXPECT(thrown && blocks.size() > 10, "%zu", blocks.size());
    for (const auto& b : blocks) EXPECT(b.front() == 'x' && b.back() == 'x');
  }
  reserve = new char[60 << 20];
  memset(reserve, 1, 60 << 20);
  std::set_new_handler(release_reserve);
  std::list<std::vector<char>> blocks;
  while (handled == 0) blocks.emplace_back(size_t{5} << 20, 'y');
  EXPECT(handled == 1 && blocks.back().back() == 'y');
  return 0;
}
