#pragma once
// Which of the free chunks that are large enough a request gets.
#include <cstdint>

namespace mmt::layers::fit {

enum class Fit : uint8_t {
  kFirst,   // the first in the order of the list or of addresses
  kBetter,  // the paper's, in trees: down to the smaller of the subtrees that have one
  kBest,    // the smallest
  kNext,    // the first behind the last one that was taken
  kWorst,   // the largest
};

}  // namespace mmt::layers::fit
