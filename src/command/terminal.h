// The width that people read at.
#pragma once

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <string_view>

#include "report/wrapped_text.h"

namespace mmt::command {

// COLUMNS where it is a number; else those of the terminal that standard output is; else 80. Never
// 0.
inline std::size_t terminal_columns() {
  const char* const told = std::getenv("COLUMNS");
  const std::string_view text = told != nullptr ? told : "";
  std::size_t columns = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
  if (error == std::errc() && end == text.data() + text.size() && columns > 0) return columns;
  winsize window{};
  const bool is_terminal = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0;
  return is_terminal ? window.ws_col : report::kConsoleWidth;
}

}  // namespace mmt::command
