#pragma once
// Which end of a free chunk is given out when it is cut in two.
#include <cstddef>
#include <cstdint>

#include <mmt/layers/fit/arena.h>

namespace mmt::layers::fit {

enum class SplitEnd : uint8_t {
  kHigh,  // the rest's node stays where it is
  kLow,   // memory is given out in order of address
};

struct Cut {
  Address taken;
  Address rest;
  size_t rest_bytes;
};

// Cuts a chunk of `bytes` into one of `needed` bytes, at `taken`, and the rest; needed <= bytes.
constexpr Cut cut_chunk(SplitEnd end, Address at, size_t bytes, size_t needed) {
  const size_t rest = bytes - needed;
  if (end == SplitEnd::kHigh) return {at + rest, at, rest};
  return {at, at + needed, rest};
}

}  // namespace mmt::layers::fit
