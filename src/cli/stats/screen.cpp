// Redrawing by cursor movements: what was shown last stays when the program is interrupted.
#include "cli/stats/screen.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "command/message.h"
#include "report/visible.h"

namespace mmt::cli {
namespace {

constexpr const char* kHome = "\033[H";
constexpr const char* kClearAll = "\033[2J";
constexpr const char* kClearLine = "\033[K";
constexpr const char* kClearBelow = "\033[J";

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace

std::string frame_of(const std::string& text, std::size_t rows, std::size_t columns) {
  const std::string shown_text = report::visible_lines(text);
  const std::vector<std::string_view> lines = lines_of(shown_text);
  // The cursor stays on a line of its own.
  const std::size_t room = rows > 1 ? rows - 1 : 1;
  const bool fits = lines.size() <= room;
  const std::size_t shown = fits ? lines.size() : room - 1;
  std::string frame;
  for (std::size_t i = 0; i < shown; ++i) {
    frame += fmt::format("{}{}\n", lines[i].substr(0, columns), kClearLine);
  }
  if (!fits) {
    const std::string more = fmt::format("{} more lines in a taller window", lines.size() - shown);
    frame += fmt::format("{}{}\n", more.substr(0, columns), kClearLine);
  }
  return frame + kClearBelow;
}

Screen::Screen(bool is_repeated)
    : is_repeated_(is_repeated), in_place_(is_repeated && ::isatty(STDOUT_FILENO) == 1) {}

void Screen::show(const std::string& text) {
  if (in_place_) {
    winsize window{};
    const bool known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_row != 0 &&
                       window.ws_col != 0;
    fmt::print("{}{}{}", kHome, is_first_ ? kClearAll : "",
               frame_of(text, known ? window.ws_row : 24, known ? window.ws_col : 80));
  } else {
    command::show((is_repeated_ && !is_first_ ? "\n" : "") + text);
  }
  is_first_ = false;
  if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category());
}

}  // namespace mmt::cli
