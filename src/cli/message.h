// What the tool tells people, on stderr. A stderr that is closed or full changes nothing else.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace mmt::cli {

// One line, "mmt: text".
inline void tell(std::string_view text) {
  std::string line = "mmt: ";
  line.append(text).append("\n");
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace mmt::cli
