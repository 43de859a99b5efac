// The name that somebody probably meant who wrote another.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mmt::cli {

// How many letters have to be put in, left out, changed, or swapped with the next to make one word
// of the other (Damerau and Levenshtein's, of which no letter is changed twice).
std::size_t edit_distance(std::string_view one, std::string_view other);

// The one nearest to `word`, if it is so near that it can be meant: one letter in three is wrong at
// most, or `word` is its beginning; '-' and '_' are one letter, and so are large and small ones.
// Empty: none.
std::string nearest(std::string_view word, std::span<const std::string> names);

// For the end of a message: "; did you mean 'run'?", or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string> names);

}  // namespace mmt::cli
