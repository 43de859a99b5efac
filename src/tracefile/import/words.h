#pragma once
// The words of a line of text, and the numbers that they are.
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tracefile/import/lines.h"

namespace mmt::tracefile {

// Takes words off the front of a line.
class Words {
 public:
  Words(std::string_view line, const Lines& lines) : rest_(line), lines_(lines) {}

  // Empty: there is none.
  std::string_view next() {
    const size_t start = rest_.find_first_not_of(" \t");
    if (start == std::string_view::npos) return {};
    rest_.remove_prefix(start);
    const std::string_view word = rest_.substr(0, rest_.find_first_of(" \t"));
    rest_.remove_prefix(word.size());
    return word;
  }

  bool is_empty() const { return rest_.find_first_not_of(" \t") == std::string_view::npos; }

  // Takes text behind a blank, which may hold blanks: so many bytes at most.
  std::string_view text(uint64_t most = UINT64_MAX) {
    if (!rest_.empty()) rest_.remove_prefix(1);
    const std::string_view taken = rest_.substr(0, most);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  // A number with or without 0x in front; `base` is that of one without. `what` is for the error.
  uint64_t number(const char* what, int base = 10) {
    const std::string_view word = next();
    if (word.empty()) lines_.fail(std::string("the ") + what + " is missing");
    const std::optional<uint64_t> value = number_of(word, base);
    if (!value) lines_.fail(quoted(word) + " is no " + what);
    return *value;
  }

  static std::optional<uint64_t> number_of(std::string_view word, int base) {
    if (word.starts_with("0x")) {
      word.remove_prefix(2);
      base = 16;
    }
    uint64_t value = 0;
    const char* const end = word.data() + word.size();
    const auto [last, error] = std::from_chars(word.data(), end, value, base);
    if (error != std::errc() || last != end || word.empty()) return std::nullopt;
    return value;
  }

 private:
  std::string_view rest_;
  const Lines& lines_;
};

}  // namespace mmt::tracefile
