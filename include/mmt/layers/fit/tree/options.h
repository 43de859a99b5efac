#pragma once
// What ABT and SBT may be told when a program or a simulation begins.
#include <cstddef>
#include <cstdint>

#include <mmt/layers/fit/fit.h>
#include <mmt/layers/fit/split.h>

namespace mmt::layers::fit {

// In which trees coalescing looks for the neighbours of what is freed.
enum class Classes : uint8_t {
  kLocal,  // in that of its own class alone: the letter of the paper
  kProbe,  // in one after the other, until both are found
  kTags,   // in none: by marks at the ends of free chunks (fit/free_tags.h)
};

struct TreeOptions {
  Fit fit = Fit::kFirst;
  bool coalesces = false;
  SplitEnd split = SplitEnd::kHigh;
  Classes classes = Classes::kLocal;  // of more than one tree
  size_t trees = 8;                   // 8 or 9; SegregatedTree's alone
  bool remembers = false;             // better fit: the smallest of the path, not the last
};

}  // namespace mmt::layers::fit
