// Telling heaps, protocols and backends by their files.
#include "cli/stats/heap_in_process.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "cli/registry/allocators.h"

namespace mmt::cli {

using programs::MappedFile;

namespace {

constexpr std::string_view kLibraryPrefix = "libmmt-";
constexpr std::string_view kProtocolPrefix = "libmmt-protocol-";
constexpr std::string_view kSuffix = ".so";

constexpr int kMostVariables = 100000;

std::string file_name(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

// What the kernel says behind the name of a file that is gone.
constexpr std::string_view kDeleted = " (deleted)";

std::string without_deletion(const std::string& path) {
  return path.ends_with(kDeleted) ? path.substr(0, path.size() - kDeleted.size()) : path;
}

std::string between(const std::string& file, std::string_view prefix) {
  return file.substr(prefix.size(), file.size() - prefix.size() - kSuffix.size());
}

// A variable the process was started with.
std::string variable_in(pid_t process, std::string_view name) {
  std::ifstream file(fmt::format("/proc/{}/environ", process), std::ios::binary);
  const std::string prefix = fmt::format("{}=", name);
  // A process writes there what it likes.
  int left = kMostVariables;
  for (std::string one; left-- > 0 && std::getline(file, one, '\0');) {
    if (one.starts_with(prefix)) return one.substr(prefix.size());
  }
  return "";
}

// What `mmt run` has put behind the protocol's library.
std::string backend_in(pid_t process) {
  const std::string preloaded = variable_in(process, "MMT_PRELOADED");
  const std::size_t colon = preloaded.find(':');
  if (colon == std::string::npos) return "glibc";
  const std::string path = preloaded.substr(colon + 1);
  const std::string file = file_name(path);
  for (const AllocatorInfo& one : known_allocators()) {
    if (!one.path.empty() && file_name(one.path) == file) return one.name;
  }
  return file.starts_with(kLibraryPrefix) && file.ends_with(kSuffix) ? between(file, kLibraryPrefix)
                                                                     : path;
}

}  // namespace

bool HeapInProcess::is_outdated() const { return library.ends_with(kDeleted); }

std::optional<HeapInProcess> heap_in_process(pid_t process, const std::vector<MappedFile>& files) {
  std::optional<HeapInProcess> found;
  for (const MappedFile& mapped : files) {
    const std::string file = file_name(without_deletion(mapped.path));
    if (file.starts_with("libmmt.")) return HeapInProcess{mapped.path, "native heap", true};
    if (!file.starts_with(kLibraryPrefix) || !file.ends_with(kSuffix) || !is_own_library(file))
      continue;
    // Behind a protocol there may be a heap of ours.
    if (file.starts_with(kProtocolPrefix)) {
      found = {
          mapped.path,
          fmt::format("protocol {} over {}", between(file, kProtocolPrefix), backend_in(process)),
          false};
    } else if (!found) {
      found = {mapped.path, fmt::format("heap {}", between(file, kLibraryPrefix)), false};
    }
  }
  return found;
}

}  // namespace mmt::cli
