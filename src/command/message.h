// All that the command prints: messages on stderr, what was asked for on stdout. Names in it are
// anybody's; none reaches a terminal as it is (report/visible.h). tests/house/prints_test.py finds
// what prints past these.
#pragma once

#include <cerrno>
#include <cstdio>
#include <string>
#include <string_view>
#include <system_error>

#include "report/visible.h"

namespace mmt::command {

// One line, "mmt: text", on stderr; whoever is named in it cannot begin another. A stderr that is
// closed or full changes nothing else.
inline void tell(std::string_view text) {
  const std::string line = "mmt: " + report::visible(text) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

// Lines on stderr that begin as they like, such as a report's.
inline void tell_lines(std::string_view lines) {
  const std::string text = report::visible_lines(lines);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

// Lines on stdout, whose ends are the caller's: names come as visible() makes them. Throws
// std::system_error: it cannot be written.
inline void show(std::string_view lines) {
  const std::string text = report::visible_lines(lines);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
    throw std::system_error(errno, std::generic_category());
}

}  // namespace mmt::command
