#pragma once
// A text as a template's argument.
#include <cstddef>

namespace mmt::core {

template <size_t kSize>
struct Name {
  constexpr Name(const char (&from)[kSize]) {
    for (size_t i = 0; i < kSize; ++i) text[i] = from[i];
  }
  char text[kSize];
};

}  // namespace mmt::core
