#pragma once
// The word that was probably meant where another was written. Nothing here allocates, prints, or
// calls what can be interposed.
#include <cstddef>

#include "interprocess/option_table.h"

namespace mmt::options {

// Longer ones are near to none.
inline constexpr size_t kLongestWord = 64;

// How many letters have to be put in, left out, changed, or swapped with the next to make one word
// of the other. The distance is that form of Damerau and Levenshtein's in which no letter is
// changed twice. '-' and '_' are one letter, and so are large and small ones. Words of kLongestWord
// letters at most.
size_t edit_distance(Text one, Text other);

// Nearest finds the first of those offered words that are nearest to `written`. The word must be so
// near that it can be meant: one letter in three is wrong at most, or `written` is its beginning.
// If two words are as near, Nearest prefers one that begins with `written`.
class Nearest {
 public:
  explicit Nearest(Text written);

  void offer(Text word);
  // "auto|on|off": each of them.
  void offer_each(const char* words);

  // The text that was offered; of size 0: none is near.
  Text word() const { return best_; }

 private:
  Text written_;
  size_t most_;
  size_t least_;  // twice the distance, and 1 where it does not begin so
  Text best_{nullptr, 0};
};

}  // namespace mmt::options
