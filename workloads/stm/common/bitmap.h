// A bitmap is a set of small numbers: header 24 bytes, a bit a number. It belongs to one thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace mmt::workloads::stm {

struct Bitmap {
  size_t bits;
  size_t words;
  uint64_t* data;
};
static_assert(sizeof(Bitmap) == 24);

template <class Tx>
Bitmap* bitmap_create(Tx& tx, size_t bits) {
  Bitmap* const map = static_cast<Bitmap*>(tx.allocate(sizeof(Bitmap)));
  const size_t words = (bits + 63) / 64;
  *map = {bits, words, static_cast<uint64_t*>(tx.allocate(words * sizeof(uint64_t)))};
  std::fill_n(map->data, words, 0);
  return map;
}

inline bool bitmap_has(const Bitmap* map, size_t bit) {
  return (map->data[bit / 64] >> bit % 64 & 1) != 0;
}
inline void bitmap_set(Bitmap* map, size_t bit) { map->data[bit / 64] |= uint64_t{1} << bit % 64; }

template <class Tx>
void bitmap_destroy(Tx& tx, Bitmap* map) {
  tx.free(map->data, map->words * sizeof(uint64_t));
  tx.free(map, sizeof(Bitmap));
}

}  // namespace mmt::workloads::stm
