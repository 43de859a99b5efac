// Many aligned blocks of mixed alignment live at once, among plain ones, and none overlaps.

#include "support/pattern.h"
#include "support/shadow.h"

namespace {

struct Block {
  void* p = nullptr;
  size_t size = 0;
};
Block blocks[4000];

}  // namespace

int main() {
  shadow::Map live;
  uint64_t seed = 7;
  for (int round = 0; round < 60000; ++round) {
    size_t i = next_random(&seed) % 4000;
    Block& s = blocks[i];
    if (s.p != nullptr) {
      check_pattern(s.p, s.size, i);
      live.remove(s.p);
      free(s.p);
    }
    size_t alignment = size_t{1} << (3 + next_random(&seed) % 13);
    size_t limit = size_t{1} << (next_random(&seed) % 15);
    s.size = next_random(&seed) % (limit + 1);
    if (round % 3 == 0) {
      s.p = malloc(s.size);
      alignment = 16;
    } else {
      s.p = memalign(alignment, s.size);
    }
    EXPECT(s.p != nullptr && reinterpret_cast<uintptr_t>(s.p) % alignment == 0, "%p %zu", s.p,
           alignment);
    live.add(s.p, s.size);
    fill_pattern(s.p, s.size, i);
  }
  for (Block& s : blocks) free(s.p);
  return 0;
}
