// Numbers as reports have them.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace mmt::cli {

// Takes a number of that base from the front of the text; nullopt, and nothing taken: there is
// none.
inline std::optional<std::uint64_t> take_number(std::string_view& text, int base = 10) {
  std::uint64_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number, base);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  text = {end, static_cast<std::size_t>(last - end)};
  return number;
}

// The same of a number behind "0x".
inline std::optional<std::uint64_t> take_hex(std::string_view& text) {
  if (!text.starts_with("0x")) return std::nullopt;
  std::string_view digits = text.substr(2);
  const auto number = take_number(digits, 16);
  if (number) text = digits;
  return number;
}

}  // namespace mmt::cli
