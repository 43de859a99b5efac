// Names and messages as they may be shown: core/visible.h for strings. Everything that the command
// prints goes through here.
#pragma once

#include <string>
#include <string_view>

namespace mmt::report {

// Takes one line: a name, an argument, a message. What is visible already stays as it is.
std::string visible(std::string_view text);

// Takes several lines, whose ends stay.
std::string visible_lines(std::string_view text);

}  // namespace mmt::report
