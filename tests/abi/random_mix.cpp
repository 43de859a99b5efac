// All functions mixed at random: blocks stay disjoint, aligned and intact. One thread.
// @soak 60000000
// @timeout 90

#include "support/pattern.h"
#include "support/shadow.h"

namespace {

struct Slot {
  void* p;
  size_t size;
  uint64_t id;
};
constexpr size_t kSlots = 6000;
Slot slots[kSlots];

size_t random_size(uint64_t* seed) {
  uint64_t r = next_random(seed);
  if (r % 1000 == 0) return next_random(seed) % (3 << 20);
  if (r % 50 == 0) return next_random(seed) % 100000;
  return next_random(seed) % (size_t{8} << (r % 9));
}

void* take(uint64_t* seed, size_t size) {
  switch (next_random(seed) % 5) {
    case 0: {
      void* p = calloc(1, size);
      EXPECT(p != nullptr);
      check_zero(p, size);
      return p;
    }
    case 1: {
      size_t alignment = size_t{1} << (3 + next_random(seed) % 11);
      void* p = memalign(alignment, size);
      EXPECT(reinterpret_cast<uintptr_t>(p) % alignment == 0);
      return p;
    }
    default:
      return malloc(size);
  }
}

}  // namespace

int main(int argc, char** argv) {
  long rounds = argc > 1 ? atol(argv[1]) : 400000;
  shadow::Map live;
  uint64_t seed = 11;
  for (long round = 0; round < rounds; ++round) {
    Slot& s = slots[next_random(&seed) % kSlots];
    size_t size = random_size(&seed);
    if (s.p != nullptr) {
      check_pattern(s.p, s.size, s.id);
      live.remove(s.p);
    }
    if (s.p != nullptr && size != 0 && round % 4 == 0) {
      void* q = realloc(s.p, size);
      check_prefix(q, size < s.size ? size : s.size, s.size, s.id);
      s.p = q;
    } else {
      free(s.p);
      s.p = take(&seed, size);
    }
    EXPECT(s.p != nullptr);
    live.add(s.p, size);
    s.size = size;
    s.id = static_cast<uint64_t>(round);
    fill_pattern(s.p, size, s.id);
  }
  return 0;
}
