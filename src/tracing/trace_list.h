// Lists of the traces of several processes, as they are read (docs/trace_format.md).
#pragma once

#include <string>
#include <vector>

namespace mmt::tracing {

inline constexpr int kListVersion = 1;
// A file may be named by any bytes, a text of JSON is UTF-8: then hexadecimal digits tell them,
// too.
inline constexpr const char* kFileBytes = "file_bytes";

struct ListedTrace {
  std::string path;
  std::string error;  // why it could not be written whole, as the list says; empty: it could
};

// The traces that a file is or lists, which lie in the list's folder or below it. Throws
// std::runtime_error that names the file, and the line or the process, where it is neither.
std::vector<ListedTrace> traces_of(const std::string& path);

}  // namespace mmt::tracing
