#include <fcntl.h>
#include <poll.h>

#include <cerrno>
#include <ctime>

#include <mmt/sys/file.h>
#include <mmt/sys/syscall.h>

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

long write_file(const char* path, const char* data, size_t bytes) {
  long fd;
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

bool can_write(int fd) {
  pollfd one{fd, POLLOUT, 0};
  const timespec at_once{};
  const long ready =
      raw_syscall(SYS_ppoll, pointer_argument(&one), 1, pointer_argument(&at_once), 0, 0);
  return ready == 1 && (one.revents & POLLOUT) != 0;
}

}  // namespace mmt::sys
