// Checks of flags' values, with messages that say what would be right.
#pragma once

#include <charconv>
#include <initializer_list>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace mmt::cli {

// A number from `low` to `high`, both included; a whole one where Number is an integer.
template <class Number>
CLI::Validator number_between(Number low, Number high) {
  const auto check = [low, high](const std::string& text) {
    Number number{};
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, number);
    const bool right = error == std::errc() && end == last && number >= low && number <= high;
    return right ? std::string() : fmt::format("'{}' is no number from {} to {}", text, low, high);
  };
  return {check, ""};
}

// One of the words.
inline CLI::Validator one_of(std::initializer_list<const char*> words) {
  const std::string all = fmt::format("{}", fmt::join(words, ", "));
  const auto check = [words = std::vector<std::string>(words.begin(), words.end()),
                      all](const std::string& text) {
    for (const std::string& word : words) {
      if (text == word) return std::string();
    }
    return fmt::format("'{}' is none of {}", text, all);
  };
  return {check, ""};
}

}  // namespace mmt::cli
