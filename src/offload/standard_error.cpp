#include "offload/standard_error.h"

#include <sys/stat.h>
#include <unistd.h>

#include <mmt/sys/syscall.h>

namespace mmt::offload {
namespace {

struct Identity {
  bool open = false;
  dev_t device = 0;
  ino_t file = 0;
};

Identity identify() {
  struct stat status {};
  if (sys::raw_syscall(SYS_fstat, STDERR_FILENO, sys::pointer_argument(&status)) != 0) return {};
  return {true, status.st_dev, status.st_ino};
}

// Written before main, by the only thread.
constinit Identity original;
constinit bool remembered = false;

}  // namespace

void remember_standard_error() {
  original = identify();
  remembered = true;
}

bool has_standard_error() {
  if (!remembered) return true;
  const Identity now = identify();
  return now.open && original.open && now.device == original.device && now.file == original.file;
}

}  // namespace mmt::offload
