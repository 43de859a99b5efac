// Escaping what is not to reach a terminal.
#include "report/visible.h"

#include <algorithm>
#include <cstddef>

#include <mmt/core/visible.h>

namespace mmt::report {

std::string visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  core::put_visible(text.data(), text.size(), [&out](char c) { out += c; });
  return out;
}

std::string visible_lines(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += visible(text.substr(0, end));
    if (end != text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace mmt::report
