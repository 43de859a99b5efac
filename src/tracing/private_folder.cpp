#include "tracing/private_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <vector>

namespace mmt::tracing {
namespace {

// What a folder is called until it is locked: a younger one may be about to be.
constexpr const char* kNew = "new-";
constexpr std::time_t kAbandonedFor = 60;

// O_NONBLOCK: anybody may put a pipe there, whose opening would wait for a writer.
constexpr int kLook = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

std::vector<std::string> names_in(int folder) {
  std::vector<std::string> names;
  const int again = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const entries = again >= 0 ? ::fdopendir(again) : nullptr;
  if (entries == nullptr) {
    if (again >= 0) ::close(again);
    return names;
  }
  while (const dirent* const one = ::readdir(entries)) {
    const std::string name = one->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  ::closedir(entries);
  return names;
}

bool is_own(int file, struct stat& status) {
  return ::fstat(file, &status) == 0 && status.st_uid == ::geteuid();
}

// Whether no other user can take away what is made there.
bool is_safe(int parent) {
  struct stat status {};
  if (::fstat(parent, &status) != 0) return false;
  const bool is_ours = status.st_uid == 0 || status.st_uid == ::geteuid();
  const bool is_open = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  return is_ours && (!is_open || (status.st_mode & S_ISVTX) != 0);
}

void remove_files(int folder) {
  for (const std::string& name : names_in(folder)) ::unlinkat(folder, name.c_str(), 0);
}

void remove_if_abandoned(int parent, const std::string& name, bool is_new) {
  const int file = ::openat(parent, name.c_str(), kLook);
  if (file < 0) return;
  struct stat status {};
  struct stat there {};
  const bool is_folder = is_own(file, status) && S_ISDIR(status.st_mode);
  // A file may be about to be locked, as a new folder.
  const bool may_be_young = is_new || !is_folder;
  const bool is_removable = status.st_uid == ::geteuid() &&
                            (is_folder || S_ISREG(status.st_mode)) &&
                            !(may_be_young && std::time(nullptr) - status.st_mtime < kAbandonedFor);
  // By now, another may have that name.
  if (is_removable && ::flock(file, LOCK_EX | LOCK_NB) == 0 &&
      ::fstatat(parent, name.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0 &&
      there.st_ino == status.st_ino && there.st_dev == status.st_dev) {
    if (is_folder) remove_files(file);
    ::unlinkat(parent, name.c_str(), is_folder ? AT_REMOVEDIR : 0);
  }
  ::close(file);
}

}  // namespace

std::optional<PrivateFolder> make_private_folder(const std::string& parent,
                                                 const std::string& prefix) {
  const int above = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (above < 0) return std::nullopt;
  const bool may_be_used = is_safe(above);
  ::close(above);
  if (!may_be_used) {
    errno = EPERM;
    return std::nullopt;
  }
  std::string made = parent + "/" + prefix + kNew + "XXXXXX";
  if (::mkdtemp(made.data()) == nullptr) return std::nullopt;
  const std::string path = parent + "/" + prefix + made.substr(made.size() - 6);
  const int lock = ::open(made.c_str(), kLook | O_DIRECTORY);
  struct stat status {};
  // It gets its name when it is locked: one of that name without a lock has no owner.
  if (lock >= 0 && is_own(lock, status) && ::fchmod(lock, 0700) == 0 &&
      ::flock(lock, LOCK_EX | LOCK_NB) == 0 && ::rename(made.c_str(), path.c_str()) == 0) {
    return PrivateFolder{path, lock};
  }
  const int error = errno;
  ::rmdir(made.c_str());
  if (lock >= 0) ::close(lock);
  errno = error;
  return std::nullopt;
}

void remove_private_folder(const PrivateFolder& folder) {
  remove_files(folder.lock);
  ::rmdir(folder.path.c_str());
  ::close(folder.lock);
}

void remove_abandoned_folders(const std::string& parent, const std::string& prefix) {
  const int above = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (above < 0) return;
  for (const std::string& name : names_in(above)) {
    if (!name.starts_with(prefix)) continue;
    remove_if_abandoned(above, name, name.starts_with(prefix + kNew));
  }
  ::close(above);
}

}  // namespace mmt::tracing
