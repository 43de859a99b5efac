// The first line of a small file, such as those of /proc and /sys.
#pragma once

#include <fstream>
#include <string>

namespace mmt::cli {

// Without its line end; empty when the file cannot be read.
inline std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

}  // namespace mmt::cli
