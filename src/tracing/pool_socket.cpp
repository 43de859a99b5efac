#include "tracing/pool_socket.h"

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "command/failure.h"
#include "trace/pool.h"
#include "tracing/private_folder.h"

namespace mmt::tracing {

using command::Failure;
using command::kRunFailed;

namespace {

constexpr const char* kPrefix = "mmt-trace-";

std::vector<std::string> candidates() {
  std::vector<std::string> folders{"/dev/shm"};
  const char* const named = std::getenv("TMPDIR");
  if (named != nullptr && *named == '/') folders.emplace_back(named);
  folders.emplace_back("/tmp");
  return folders;
}

// The first; others are closed, as nobody sends them but to fill the table of descriptors. False:
// there were others.
bool take_descriptors(const cmsghdr& rights, int& descriptor) {
  const std::size_t count = (rights.cmsg_len - CMSG_LEN(0)) / sizeof(int);
  for (std::size_t i = 0; i < count; ++i) {
    int one = -1;
    std::memcpy(&one, CMSG_DATA(&rights) + i * sizeof one, sizeof one);
    if (descriptor < 0) {
      descriptor = one;
    } else {
      ::close(one);
    }
  }
  return count == 1;
}

// In the folder that is open, whatever its path leads to by now.
bool bind_in(int folder, int socket, const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = fmt::format("/proc/self/fd/{}/{}", folder, name);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const mode_t before = ::umask(0177);
  const int result = ::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address);
  ::umask(before);
  return result == 0;
}

}  // namespace

PoolSocket::PoolSocket(bool has_sites) {
  // The program has the same limit, or less.
  rlimit longest{};
  constexpr std::size_t kLeast = trace::kFewestChunks * trace::kChunkBytes;
  if (::getrlimit(RLIMIT_FSIZE, &longest) == 0 && longest.rlim_max < kLeast) {
    throw Failure(kRunFailed, fmt::format("cannot record: the limit of a file's size (ulimit -f) "
                                          "is less than {} MiB",
                                          kLeast >> 20));
  }
  std::string errors;
  for (const std::string& parent : candidates()) {
    remove_abandoned_folders(parent, kPrefix);
    if (make_in(parent, has_sites)) return;
    errors += fmt::format("{}'{}': {}", errors.empty() ? "" : "; ", parent, std::strerror(errno));
  }
  throw Failure(kRunFailed, fmt::format("cannot make a place to record in: {}", errors));
}

bool PoolSocket::make_in(const std::string& parent, bool has_sites) {
  const char* const name = has_sites ? trace::kSitesSocket : trace::kCallsSocket;
  const auto made = make_private_folder(parent, kPrefix);
  if (!made) return false;
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int on = 1;
  const std::string path = made->path + "/" + name;
  const bool is_short = path.size() < trace::kLongestSocketPath;
  if (is_short && socket >= 0 &&
      ::setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &on, sizeof on) == 0 &&
      bind_in(made->lock, socket, name)) {
    folder_ = made->path;
    path_ = path;
    lock_ = made->lock;
    socket_ = socket;
    return true;
  }
  const int error = is_short ? errno : ENAMETOOLONG;
  if (socket >= 0) ::close(socket);
  remove_private_folder(*made);
  errno = error;
  return false;
}

PoolSocket::~PoolSocket() {
  remove_private_folder({folder_, lock_});
  ::close(socket_);
}

void PoolSocket::hide() { ::unlinkat(lock_, path_.substr(folder_.size() + 1).c_str(), 0); }

std::optional<AnnouncedPool> PoolSocket::receive(bool& has_more) {
  trace::Announcement announcement{.magic = 0};
  iovec part{&announcement, sizeof announcement};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int)) + CMSG_SPACE(sizeof(ucred))];
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t size = ::recvmsg(socket_, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  has_more = size >= 0 || errno == EINTR;
  if (size < 0) return std::nullopt;
  AnnouncedPool pool;
  bool is_whole = size == static_cast<ssize_t>(sizeof announcement) &&
                  (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0 &&
                  announcement.magic == trace::kPoolMagic;
  for (cmsghdr* one = CMSG_FIRSTHDR(&message); one != nullptr; one = CMSG_NXTHDR(&message, one)) {
    if (one->cmsg_level != SOL_SOCKET) continue;
    if (one->cmsg_type == SCM_RIGHTS) {
      is_whole = take_descriptors(*one, pool.descriptor) && is_whole;
    } else if (one->cmsg_type == SCM_CREDENTIALS) {
      ucred sender{};
      std::memcpy(&sender, CMSG_DATA(one), sizeof sender);
      pool.process = sender.pid;
    }
  }
  pool.is_fork = announcement.is_fork != 0;
  if (is_whole) return pool;
  if (pool.descriptor >= 0) ::close(std::exchange(pool.descriptor, -1));
  return pool;
}

}  // namespace mmt::tracing
