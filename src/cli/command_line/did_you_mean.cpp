#include "cli/command_line/did_you_mean.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace mmt::cli {
namespace {

std::string folded(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

// Of "huge" for "huge-pages": what was typed may be a beginning.
bool begins(std::string_view name, std::string_view word) {
  return word.size() >= 3 && name.starts_with(word);
}

}  // namespace

std::size_t edit_distance(std::string_view one, std::string_view other) {
  // Three rows of the table: two letters before, one before, and this.
  std::vector<std::size_t> before(other.size() + 1);
  std::vector<std::size_t> last(other.size() + 1);
  std::vector<std::size_t> row(other.size() + 1);
  for (std::size_t j = 0; j <= other.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= one.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= other.size(); ++j) {
      const std::size_t changed = last[j - 1] + (one[i - 1] == other[j - 1] ? 0 : 1);
      row[j] = std::min({changed, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[other.size()];
}

std::string nearest(std::string_view word, std::span<const std::string> names) {
  const std::string typed = folded(word);
  const std::size_t most = std::max<std::size_t>(1, typed.size() / 3);
  const std::string* best = nullptr;
  std::size_t least = most + 1;
  for (const std::string& name : names) {
    const std::string folded_name = folded(name);
    std::size_t distance = edit_distance(typed, folded_name);
    if (begins(folded_name, typed)) distance = std::min(distance, most);
    if (distance >= least || distance >= std::max(typed.size(), name.size())) continue;
    least = distance;
    best = &name;
  }
  return best != nullptr ? *best : "";
}

std::string did_you_mean(std::string_view word, std::span<const std::string> names) {
  const std::string name = nearest(word, names);
  return name.empty() ? "" : fmt::format("; did you mean '{}'?", name);
}

}  // namespace mmt::cli
