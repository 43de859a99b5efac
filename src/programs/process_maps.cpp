// Reading /proc/PID/maps.
#include "programs/process_maps.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cinttypes>
#include <cstddef>
#include <cstdio>
#include <sstream>

#include <fmt/format.h>

namespace mmt::programs {
namespace {

// A process decides how long its own is; half a million mappings take less.
constexpr std::size_t kMostText = std::size_t{64} << 20;

}  // namespace

std::vector<MappedFile> parse_maps(const std::string& text) {
  std::vector<MappedFile> files;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::uint64_t start = 0;
    std::uint64_t offset = 0;
    int path_at = -1;
    // start-end perms offset device inode   path
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%*x %*s %" SCNx64 " %*s %*u %n", &start, &offset,
                    &path_at) != 2 ||
        path_at < 0 || offset != 0) {
      continue;
    }
    const std::string path = line.substr(static_cast<std::size_t>(path_at));
    if (path.starts_with('/')) files.push_back({start, path});
  }
  return files;
}

std::optional<std::vector<MappedFile>> mapped_files(pid_t process) {
  const int descriptor =
      ::open(fmt::format("/proc/{}/maps", process).c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  std::string text;
  std::array<char, 16384> piece;
  ssize_t size = 0;
  while (text.size() < kMostText && (size = ::read(descriptor, piece.data(), piece.size())) > 0) {
    text.append(piece.data(), static_cast<std::size_t>(size));
  }
  const int error = size < 0 ? errno : 0;
  // A process that ends, or executes another program, between two pieces has no more for us. What
  // came before is a part, in which files would be missed.
  char again = 0;
  const bool is_whole = error == 0 && ::pread(descriptor, &again, 1, 0) == 1;
  ::close(descriptor);
  if (text.size() >= kMostText) {
    errno = EFBIG;
    return std::nullopt;
  }
  if (error != 0 && error != ESRCH) {
    errno = error;
    return std::nullopt;
  }
  return is_whole ? parse_maps(text) : std::vector<MappedFile>{};
}

}  // namespace mmt::programs
