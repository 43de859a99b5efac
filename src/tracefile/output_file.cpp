#include "tracefile/output_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <climits>

namespace mmt::tracefile {
namespace {

constexpr int kMostLinks = 40;
constexpr int kMostTries = 3;

// What the kernel makes of open files has no path: /dev/stdout and /dev/fd/3 lead there.
bool is_of_kernel(const std::string& path) {
  const int link = ::open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (link < 0) return false;
  struct statfs system {};
  const bool is_there = ::fstatfs(link, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
  ::close(link);
  return is_there;
}

// The target of the link that is there now, by a descriptor of the link itself. Nothing, with errno
// 0: it is no link.
std::string target_of(const std::string& path) {
  const int link = ::open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (link < 0) {
    if (errno == ENOENT) errno = 0;
    return "";
  }
  struct stat status {};
  char target[PATH_MAX];
  ssize_t size = 0;
  int error = ::fstat(link, &status) != 0 ? errno : 0;
  if (error == 0 && S_ISLNK(status.st_mode)) {
    const bool is_trusted = status.st_uid == ::geteuid() || status.st_uid == 0;
    size = is_trusted ? ::readlinkat(link, "", target, sizeof target) : -1;
    if (size <= 0) error = is_trusted ? ENOENT : ELOOP;
  }
  ::close(link);
  errno = error;
  return error == 0 && size > 0 ? std::string(target, static_cast<std::size_t>(size)) : "";
}

// Its own file, of one name, or a device: what else is written is what was meant.
bool is_own(int file) {
  struct stat status {};
  if (::fstat(file, &status) != 0) return false;
  if (S_ISFIFO(status.st_mode)) return status.st_uid == ::geteuid() || status.st_uid == 0;
  return !S_ISREG(status.st_mode) || (status.st_uid == ::geteuid() && status.st_nlink == 1);
}

// Whether opening it would wait for somebody else's reader.
bool is_pipe_of_others(const std::string& path) {
  const int file = ::open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return false;
  struct stat status {};
  const bool is_pipe = ::fstat(file, &status) == 0 && S_ISFIFO(status.st_mode);
  const bool is_others = is_pipe && !is_own(file);
  ::close(file);
  return is_others;
}

}  // namespace

std::string output_behind_links(const std::string& path) {
  std::string at = path;
  for (int links = 0; links < kMostLinks; ++links) {
    if (is_of_kernel(at)) return at;
    const std::string target = target_of(at);
    if (target.empty()) return errno == 0 ? at : "";
    at = target.front() == '/' ? target : at.substr(0, at.rfind('/') + 1) + target;
  }
  errno = ELOOP;
  return "";
}

int open_output(const std::string& path, Before before) {
  const std::string real = output_behind_links(path);
  if (real.empty()) return -1;
  const bool is_open_already = is_of_kernel(real);
  const int no_links = is_open_already ? 0 : O_NOFOLLOW;
  constexpr int kFlags = O_WRONLY | O_CLOEXEC | O_NOCTTY;
  for (int tries = 0; tries < kMostTries; ++tries) {
    int file = ::open(real.c_str(), kFlags | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
    if (file >= 0 || errno != EEXIST) return file;
    if (is_open_already || !is_pipe_of_others(real)) {
      file = ::open(real.c_str(), kFlags | no_links);
    } else {
      errno = EACCES;
    }
    const bool is_there = file >= 0;
    if (is_there && (is_open_already || is_own(file))) {
      struct stat status {};
      if (before == Before::kKept) return file;
      if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return file;
      if (::ftruncate(file, 0) == 0) return file;
    }
    if (is_there) ::close(file);
    if (!is_there && errno != EACCES) return -1;
    if (::unlink(real.c_str()) != 0 && errno != ENOENT) return -1;
  }
  errno = EEXIST;
  return -1;
}

}  // namespace mmt::tracefile
