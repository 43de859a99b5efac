#include "interprocess/nearest.h"

#include <cstdint>

namespace mmt::options {
namespace {

using Distances = uint8_t[kLongestWord + 1];

char folded(char c) {
  if (c == '_') return '-';
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

size_t least_of(size_t one, size_t other) { return one < other ? one : other; }

bool begins(Text word, Text with) {
  if (with.size > word.size) return false;
  for (size_t i = 0; i < with.size; ++i)
    if (folded(word.data[i]) != folded(with.data[i])) return false;
  return true;
}

}  // namespace

size_t edit_distance(Text one, Text other) {
  // Three rows of the table: two letters before, one before, and this; each in turn.
  Distances rows[3];
  for (size_t j = 0; j <= other.size; ++j) rows[0][j] = static_cast<uint8_t>(j);
  for (size_t i = 1; i <= one.size; ++i) {
    const Distances& before = rows[(i + 1) % 3];
    const Distances& last = rows[(i + 2) % 3];
    Distances& row = rows[i % 3];
    row[0] = static_cast<uint8_t>(i);
    const auto letter = [&](size_t at) { return folded(one.data[at]); };
    for (size_t j = 1; j <= other.size; ++j) {
      const auto other_letter = [&](size_t at) { return folded(other.data[at]); };
      const size_t changed = last[j - 1] + (letter(i - 1) == other_letter(j - 1) ? 0u : 1u);
      size_t least = least_of(changed, least_of(last[j], row[j - 1]) + 1u);
      const bool is_swapped = i > 1 && j > 1 && letter(i - 1) == other_letter(j - 2) &&
                              letter(i - 2) == other_letter(j - 1);
      if (is_swapped) least = least_of(least, before[j - 2] + 1u);
      row[j] = static_cast<uint8_t>(least);
    }
  }
  return rows[one.size % 3][other.size];
}

Nearest::Nearest(Text written)
    : written_(written), most_(written.size < 6 ? 1 : written.size / 3), least_(2 * most_ + 2) {}

void Nearest::offer(Text word) {
  if (written_.size > kLongestWord || word.size > kLongestWord) return;
  size_t distance = edit_distance(written_, word);
  const size_t longer = written_.size > word.size ? written_.size : word.size;
  if (distance >= longer) return;
  const bool is_beginning = begins(word, written_);
  // A beginning, as "huge" of "huge-pages", is as good as a word with as many wrong letters as
  // there may be.
  if (is_beginning && written_.size >= 3) distance = least_of(distance, most_);
  const size_t rank = 2 * distance + (is_beginning ? 0 : 1);
  if (rank >= least_) return;
  least_ = rank;
  best_ = word;
}

void Nearest::offer_each(const char* words) {
  for (const char* end = words;; words = ++end) {
    while (*end != '|' && *end != '\0') ++end;
    offer({words, static_cast<size_t>(end - words)});
    if (*end == '\0') return;
  }
}

}  // namespace mmt::options
