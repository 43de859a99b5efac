// Checks of flags' values, with messages that say what would be right.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <CLI/App.hpp>
#include <fmt/format.h>

#include "command/did_you_mean.h"

namespace mmt::cli {

// "1.5", but neither "1" nor "1e3".
inline bool is_fraction(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number != std::trunc(number);
}

// A number from `low` to `high`, both included; a whole one where Number is an integer. Where there
// is a `kind`, others are refused as none of it: "a process id".
template <class Number>
CLI::Validator number_between(Number low, Number high, std::string kind = "") {
  const auto check = [low, high, kind = std::move(kind)](const std::string& text) -> std::string {
    Number number{};
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, number);
    if (error == std::errc() && end == last && number >= low && number <= high) return "";
    if (std::is_integral_v<Number> && is_fraction(text)) {
      return fmt::format("'{}' is not a whole number", text);
    }
    if (!kind.empty()) return fmt::format("'{}' is not {}", text, kind);
    return fmt::format("'{}' is no number from {} to {}", text, low, high);
  };
  return {check, ""};
}

// One of the words.
inline CLI::Validator one_of(std::vector<std::string> words) {
  const auto check = [words = std::move(words)](const std::string& text) -> std::string {
    if (std::find(words.begin(), words.end(), text) != words.end()) return "";
    const std::string meant = command::did_you_mean(text, words);
    if (!meant.empty()) return fmt::format("there is no '{}'{}", text, meant);
    return fmt::format("'{}' is none of {}", text, fmt::join(words, ", "));
  };
  return {check, ""};
}

}  // namespace mmt::cli
