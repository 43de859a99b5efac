// A workload finds the files that belong to it in data/NAME beside the program. This holds in the
// build tree, and wherever the program is copied together with that folder.
#pragma once

#include <unistd.h>

#include <string>

namespace mmt::workloads {

// `given`, or, where that is empty, the folder of that name beside the running program.
inline std::string data_folder(std::string_view given, const char* name) {
  if (!given.empty()) return std::string(given);
  char path[4096];
  ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
  std::string program(path, length > 0 ? static_cast<size_t>(length) : 0);
  return program.substr(0, program.rfind('/') + 1) + "data/" + name;
}

}  // namespace mmt::workloads
