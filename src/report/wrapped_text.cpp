// Breaking lines.
#include "report/wrapped_text.h"

#include "report/visible.h"

namespace mmt::report {

std::string wrapped(std::string_view label, std::string_view words, std::size_t width) {
  const std::string shown = visible(words);
  std::string_view text = shown;
  const std::size_t room = width > label.size() ? width - label.size() : 1;
  std::string lines(label);
  while (text.size() > room) {
    // The last space within reach, else the first one beyond.
    std::size_t cut = text.rfind(' ', room);
    if (cut == std::string_view::npos) cut = text.find(' ', room);
    if (cut == std::string_view::npos) break;
    lines.append(text.substr(0, cut)).append("\n").append(label.size(), ' ');
    text.remove_prefix(cut + 1);
  }
  return lines.append(text).append("\n");
}

}  // namespace mmt::report
