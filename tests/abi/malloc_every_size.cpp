// Blocks of every size 0..4200 are aligned to 16, usable for at least what was asked, and disjoint,
// and their contents stay. The same holds in the neighbourhood of every likely class boundary up to
// 300 KiB.
// @timeout 90

#include "support/pattern.h"
#include "support/shadow.h"

namespace {

struct Block {
  void* p;
  size_t size;
};
constexpr size_t kMaxBlocks = 16384;
Block blocks[kMaxBlocks];
size_t count = 0;
shadow::Map live;

void take(size_t size) {
  void* p = malloc(size);
  EXPECT(p != nullptr, "size %zu", size);
  EXPECT(reinterpret_cast<uintptr_t>(p) % 16 == 0, "size %zu at %p", size, p);
  live.add(p, size);
  fill_pattern(p, size, count);
  EXPECT(count < kMaxBlocks);
  blocks[count++] = {p, size};
}

}  // namespace

int main() {
  for (size_t size = 0; size <= 4200; ++size) take(size);
  // Eight steps a power of two, three bytes to either side: any usual class table has its
  // boundaries among these.
  for (size_t power = 4096; power <= 262144; power *= 2)
    for (size_t eighth = 0; eighth < 8; ++eighth)
      for (long delta = -3; delta <= 17; ++delta)
        take(power + power / 8 * eighth + static_cast<size_t>(delta));
  for (size_t size = 4096; size <= 300 * 1024; size += 1024) take(size);
  for (size_t i = 0; i < count; ++i) check_pattern(blocks[i].p, blocks[i].size, i);
  for (size_t i = 0; i < count; i += 2) {
    live.remove(blocks[i].p);
    free(blocks[i].p);
  }
  for (size_t i = 0; i < count; i += 2) {
    void* p = malloc(blocks[i].size);
    live.add(p, blocks[i].size);
    fill_pattern(p, blocks[i].size, i);
    blocks[i].p = p;
  }
  for (size_t i = 0; i < count; ++i) {
    check_pattern(blocks[i].p, blocks[i].size, i);
    free(blocks[i].p);
  }
  return 0;
}
