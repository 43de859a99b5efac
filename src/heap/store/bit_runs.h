#pragma once
// Goes through a run of bits, word by word.
#include <cstddef>
#include <cstdint>

namespace mmt::store {

// Calls visit(word index, mask of the run's bits in that word) for each word of the run.
template <class Visit>
void for_each_word(size_t first, size_t count, Visit&& visit) {
  while (count != 0) {
    const size_t bit = first % 64;
    const size_t here = count < 64 - bit ? count : 64 - bit;
    const uint64_t mask = (here == 64 ? ~uint64_t{0} : (uint64_t{1} << here) - 1) << bit;
    visit(first / 64, mask);
    first += here;
    count -= here;
  }
}

}  // namespace mmt::store
