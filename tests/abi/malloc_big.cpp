// Blocks from 300 KiB to 3 GiB: first and last byte, every boundary's neighbours, disjoint, freed
// and taken again.

#include "support/pattern.h"
#include "support/shadow.h"

namespace {

constexpr size_t kSizes[] = {
    300 << 10,
    (512 << 10) - 1,
    512 << 10,
    (512 << 10) + 1,
    1 << 20,
    (1 << 20) + 1,
    (2 << 20) - 4096,
    (2 << 20) - 1,
    2 << 20,
    (2 << 20) + 1,
    (4 << 20) - 32,
    (4 << 20) + 4096,
    (32 << 20) - 1,
    32 << 20,
    (32 << 20) + 1,
    (64 << 20) + 17,
    256 << 20,
    size_t{1} << 30,
    (size_t{1} << 31) - 1,
    size_t{1} << 31,
    size_t{3} << 30,
};
constexpr size_t kCount = sizeof kSizes / sizeof kSizes[0];

}  // namespace

int main() {
  for (int round = 0; round < 3; ++round) {
    shadow::Map live;
    void* blocks[kCount];
    for (size_t i = 0; i < kCount; ++i) {
      auto* p = static_cast<char*>(malloc(kSizes[i]));
      EXPECT(p != nullptr, "size %zu", kSizes[i]);
      EXPECT(reinterpret_cast<uintptr_t>(p) % 16 == 0);
      live.add(p, kSizes[i]);
      p[0] = static_cast<char>(i);
      p[kSizes[i] / 2] = static_cast<char>(i + 1);
      p[kSizes[i] - 1] = static_cast<char>(i + 2);
      p[malloc_usable_size(p) - 1] = static_cast<char>(i + 2);
      blocks[i] = p;
    }
    for (size_t i = 0; i < kCount; ++i) {
      auto* p = static_cast<char*>(blocks[i]);
      EXPECT(p[0] == static_cast<char>(i), "size %zu", kSizes[i]);
      EXPECT(p[kSizes[i] / 2] == static_cast<char>(i + 1), "size %zu", kSizes[i]);
      EXPECT(p[kSizes[i] - 1] == static_cast<char>(i + 2), "size %zu", kSizes[i]);
      live.remove(p);
      free(p);
    }
  }
  return 0;
}
