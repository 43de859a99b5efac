// Small files, such as those of /proc and /sys.
#pragma once

#include <sys/types.h>

#include <fstream>
#include <iterator>
#include <string>

namespace mmt::command {

// Without its line end; empty when the file cannot be read.
inline std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// What a process calls itself, which may be several lines; empty when it is gone.
inline std::string name_of_process(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/comm");
  std::string name{std::istreambuf_iterator<char>(file), {}};
  if (name.ends_with('\n')) name.pop_back();
  return name;
}

}  // namespace mmt::command
