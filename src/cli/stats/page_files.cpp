// Reading one page file, whoever made it.
#include "cli/stats/page_files.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "interprocess/stats_page.h"

namespace mmt::cli {
namespace {

constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
// Room for what later libraries may add.
constexpr off_t kMostBytes = 64 << 10;

// What is mounted on the file would answer when its owner likes.
int open_here(int folder, const std::string& name) {
  open_how how{};
  how.flags = kFlags;
  how.resolve = RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS;
  const long descriptor = ::syscall(SYS_openat2, folder, name.c_str(), &how, sizeof how);
  // Older kernels lack it, and some filters of system calls deny what they do not know.
  if (descriptor >= 0 || (errno != ENOSYS && errno != EPERM)) return static_cast<int>(descriptor);
  return ::openat(folder, name.c_str(), kFlags);
}

std::string doubt_of(const struct stat& status) {
  if (!S_ISREG(status.st_mode)) return "it is no regular file";
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) return "others than its owner may write to it";
  if (status.st_nlink > 1) return "it has another name";
  if (status.st_size > kMostBytes) return fmt::format("it has {} bytes", status.st_size);
  return "";
}

}  // namespace

FoundPage read_page_file(int folder, const std::string& name) {
  FoundPage found;
  const int descriptor = open_here(folder, name);
  if (descriptor < 0) {
    found.is_gone = errno == ENOENT;
    found.claim.doubt = errno == ELOOP ? "it is a link" : std::strerror(errno);
    return found;
  }
  struct stat status {};
  std::array<char, sizeof(observe::PageFile)> contents;
  const bool is_known = ::fstat(descriptor, &status) == 0;
  found.owner = status.st_uid;
  found.claim.doubt = is_known ? doubt_of(status) : std::strerror(errno);
  if (found.claim.doubt.empty()) {
    const ssize_t size = ::pread(descriptor, contents.data(), contents.size(), 0);
    found.claim =
        claim_of({contents.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))}, name);
  }
  ::close(descriptor);
  return found;
}

bool may_be_of(pid_t process, uid_t user) {
  std::ifstream file(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("Uid:")) continue;
    std::istringstream ids(line.substr(4));
    for (uid_t one = 0; ids >> one;) {
      if (one == user) return true;
    }
    return false;
  }
  return true;
}

}  // namespace mmt::cli
