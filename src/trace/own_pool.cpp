#include "trace/own_pool.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <mmt/sys/syscall.h>

#include "trace/new_pool.h"

namespace mmt::trace {
namespace {

using sys::pointer_argument;
using sys::raw_syscall;

// A reader that is there takes what waits for it, though many processes begin at once. The
// processes look away ever longer, so as not to take every CPU from the reader.
constexpr long kShortestRetryNs = 200'000;
constexpr long kLongestRetryNs = 20'000'000;
constexpr long kRetryForNs = 20'000'000'000;

bool is_error(long result) { return result < 0 && result > -4096; }

// Raises the length that a file may have (ulimit -f) to the most that may be asked for, as long as
// this object is there. Past that length, the kernel would send a signal.
class LongestFile {
 public:
  LongestFile() {
    raw_syscall(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, pointer_argument(&before_));
    set({before_.most, before_.most});
  }
  ~LongestFile() { set(before_); }
  LongestFile(const LongestFile&) = delete;
  LongestFile& operator=(const LongestFile&) = delete;

  size_t most_chunks(size_t wanted) const {
    const uint64_t chunks = before_.most / kChunkBytes;
    return chunks < wanted ? static_cast<size_t>(chunks) : wanted;
  }

 private:
  struct Limit {
    uint64_t now = ~uint64_t{0};
    uint64_t most = ~uint64_t{0};
  };
  void set(const Limit& limit) const {
    if (before_.now == before_.most) return;
    raw_syscall(SYS_prlimit64, 0, RLIMIT_FSIZE, pointer_argument(&limit), 0);
  }
  Limit before_;
};

long send(const Reader& reader, long file, bool is_fork) {
  const long socket =
      raw_syscall(SYS_socket, AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) return socket;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, reader.socket, sizeof address.sun_path);
  const Announcement announcement{.is_fork = is_fork ? 1U : 0U};
  iovec part{const_cast<Announcement*>(&announcement), sizeof announcement};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_name = &address;
  message.msg_namelen = sizeof address;
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* const rights = CMSG_FIRSTHDR(&message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof(int));
  const int descriptor = static_cast<int>(file);
  std::memcpy(CMSG_DATA(rights), &descriptor, sizeof descriptor);
  long done = 0;
  for (long waited = 0; waited < kRetryForNs;) {
    done = raw_syscall(SYS_sendmsg, socket, pointer_argument(&message), MSG_NOSIGNAL);
    const bool is_full = done == -EAGAIN || done == -ENOBUFS || done == -ETOOMANYREFS;
    if (!is_full && done != -EINTR) break;
    const long longest = waited / 8 < kLongestRetryNs ? waited / 8 : kLongestRetryNs;
    const timespec pause{0, longest > kShortestRetryNs ? longest : kShortestRetryNs};
    waited += pause.tv_nsec;
    raw_syscall(SYS_nanosleep, pointer_argument(&pause), 0);
  }
  raw_syscall(SYS_close, socket);
  return done < 0 ? done : 0;
}

// At `base`, where this process has address space for `room` chunks.
long fill(const Reader& reader, OwnPool& pool, bool is_fork) {
  size_t chunks = 0;
  long file = -EFBIG;
  {
    const LongestFile limit;
    chunks = limit.most_chunks(pool.chunks);
    if (chunks >= kFewestChunks) file = make_pool_file(chunks);
  }
  if (file < 0) return file;
  long done = send(reader, file, is_fork);
  if (done == 0) {
    const long bytes = static_cast<long>(chunks * kChunkBytes);
    done = raw_syscall(SYS_mmap, pointer_argument(pool.base), bytes, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_FIXED, file, 0);
    if (!is_error(done)) {
      done = 0;
      if (chunks < pool.chunks) {
        raw_syscall(SYS_munmap, pointer_argument(pool.base) + bytes,
                    static_cast<long>(pool.chunks * kChunkBytes) - bytes);
      }
      pool.chunks = chunks;
    }
  }
  raw_syscall(SYS_close, file);
  return done;
}

}  // namespace

bool find_reader(Reader& reader) {
  const char* const path = std::getenv(kPoolVariable);
  if (path == nullptr) return false;
  const size_t size = std::strlen(path);
  const size_t kind = std::strlen(kSitesSocket);
  if (size <= kind || size >= sizeof reader.socket) return false;
  std::memcpy(reader.socket, path, size + 1);
  reader.wants_sites = std::memcmp(path + size - kind, kSitesSocket, kind) == 0;
  return true;
}

long begin_pool(const Reader& reader, OwnPool& pool) {
  // Before anybody hears of it: a process without address space records nothing.
  const long room = raw_syscall(SYS_mmap, 0, kPoolBytes, PROT_NONE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (is_error(room)) return room;
  OwnPool made{reinterpret_cast<char*>(room), kMostChunks};
  const long done = fill(reader, made, false);
  if (done == 0) {
    pool = made;
  } else {
    raw_syscall(SYS_munmap, room, kPoolBytes);
  }
  return done;
}

long renew_pool(const Reader& reader, OwnPool& pool) { return fill(reader, pool, true); }

}  // namespace mmt::trace
