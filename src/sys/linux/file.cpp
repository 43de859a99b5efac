#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cerrno>
#include <ctime>

#include <mmt/sys/file.h>
#include <mmt/sys/syscall.h>
#include <mmt/sys/thread.h>

namespace mmt::sys {

long write_all(int fd, const char* data, size_t bytes) {
  while (bytes != 0) {
    const long written =
        raw_syscall(SYS_write, fd, pointer_argument(data), static_cast<long>(bytes));
    if (written == -EINTR) continue;
    if (written < 0) return written;
    if (written == 0) return -EIO;
    data += written;
    bytes -= static_cast<size_t>(written);
  }
  return 0;
}

long read_file(const char* path, char* data, size_t bytes) {
  const long fd = raw_syscall(SYS_openat, AT_FDCWD, pointer_argument(path), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return fd;
  const long read = raw_syscall(SYS_read, fd, pointer_argument(data), static_cast<long>(bytes));
  raw_syscall(SYS_close, fd);
  return read;
}

// What another user has put there to lead the writing elsewhere, or to hold it up: -ELOOP, -EACCES;
// else 0.
static long trap_of_others(const char* path) {
  const long there =
      raw_syscall(SYS_openat, AT_FDCWD, pointer_argument(path), O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (there < 0) return 0;
  struct stat status {};
  const long known = raw_syscall(SYS_newfstatat, there, pointer_argument(""),
                                 pointer_argument(&status), AT_EMPTY_PATH);
  raw_syscall(SYS_close, there);
  const bool is_theirs =
      status.st_uid != 0 && status.st_uid != static_cast<uid_t>(raw_syscall(SYS_geteuid));
  if (known != 0 || !is_theirs) return 0;
  return S_ISLNK(status.st_mode) ? -ELOOP : S_ISFIFO(status.st_mode) ? -EACCES : 0;
}

long write_file(const char* path, const char* data, size_t bytes) {
  long fd = is_quiet() ? 0 : trap_of_others(path);  // a filter might kill for more than the writing
  if (fd != 0) return fd;
  do {
    fd = raw_syscall(SYS_openat, AT_FDCWD, pointer_argument(path),
                     O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0644);
  } while (fd == -EINTR);
  if (fd < 0) return fd;
  const long result = write_all(static_cast<int>(fd), data, bytes);
  // Some file systems tell a full disk only when a file is closed.
  const long closed = raw_syscall(SYS_close, fd);
  return result != 0 ? result : closed == -EINTR ? 0 : closed;
}

void* map_new_file(const char* path, const void* data, size_t bytes, long* error) {
  *error = -EFBIG;
  rlimit limit{};
  const long known = raw_syscall(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, pointer_argument(&limit));
  if (known != 0 || limit.rlim_cur < bytes) return nullptr;
  const long fd = raw_syscall(SYS_openat, AT_FDCWD, pointer_argument(path),
                              O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  *error = fd;
  if (fd < 0) return nullptr;
  // Written, not only made longer: a page for which there is no space would be a signal.
  long address = write_all(static_cast<int>(fd), static_cast<const char*>(data), bytes);
  if (address == 0)
    address = raw_syscall(SYS_mmap, 0, static_cast<long>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED,
                          fd, 0);
  raw_syscall(SYS_close, fd);
  *error = address;
  if (address > 0) return reinterpret_cast<void*>(address);
  raw_syscall(SYS_unlinkat, AT_FDCWD, pointer_argument(path), 0);
  return nullptr;
}

void unmap_file(void* data, size_t bytes) {
  raw_syscall(SYS_munmap, pointer_argument(data), static_cast<long>(bytes));
}

bool can_write(int fd) {
  pollfd one{fd, POLLOUT, 0};
  const timespec at_once{};
  const long ready =
      raw_syscall(SYS_ppoll, pointer_argument(&one), 1, pointer_argument(&at_once), 0, 0);
  return ready == 1 && (one.revents & POLLOUT) != 0;
}

}  // namespace mmt::sys
