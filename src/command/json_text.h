// Writes JSON as the command prints it. It is in ASCII, so that a name in it does nothing to a
// terminal, and still is what it was to its reader. Bytes that are no UTF-8 become U+FFFD.
#pragma once

#include <string>

namespace mmt::command {

// Ended by a line's end. `indent` -1: in one line.
template <class Json>
std::string json_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace mmt::command
