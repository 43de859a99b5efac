#include "sys/standard_error.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <mmt/sys/syscall.h>

namespace mmt::sys {
namespace {

struct Identity {
  bool open = false;
  dev_t device = 0;
  ino_t file = 0;
};

Identity identify(int descriptor) {
  struct stat status {};
  if (raw_syscall(SYS_fstat, descriptor, pointer_argument(&status)) != 0) return {};
  return {true, status.st_dev, status.st_ino};
}

// Written before main, by the only thread.
constinit Identity original;
constinit bool remembered = false;
constinit long kept = -1;

// Above what programs expect to get, below the limits that are usual.
constexpr int kFarAway = 200;

bool is_original(int descriptor) {
  const Identity now = identify(descriptor);
  return now.open && original.open && now.device == original.device && now.file == original.file;
}

}  // namespace

void remember_standard_error() {
  original = identify(STDERR_FILENO);
  remembered = true;
}

bool has_standard_error() { return !remembered || is_original(STDERR_FILENO); }

void keep_standard_error() {
  if (original.open) kept = raw_syscall(SYS_fcntl, STDERR_FILENO, F_DUPFD_CLOEXEC, kFarAway);
}

int standard_error() {
  if (has_standard_error()) return STDERR_FILENO;
  return kept >= 0 && is_original(static_cast<int>(kept)) ? static_cast<int>(kept) : -1;
}

}  // namespace mmt::sys
