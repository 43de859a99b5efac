// What comes through the socket, of whoever sends it.
#include "tracing/pool_socket.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <iterator>
#include <vector>

#include <gtest/gtest.h>

#include "trace/pool.h"

namespace mmt::tracing {
namespace {

std::ptrdiff_t open_files() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                       std::filesystem::directory_iterator());
}

// So many descriptors, with so many bytes of an announcement.
void send(const std::string& path, std::size_t descriptors, std::size_t bytes,
          std::uint64_t magic = trace::kPoolMagic) {
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  trace::Announcement announcement[2] = {{.magic = magic}, {}};
  iovec part{announcement, bytes};
  alignas(cmsghdr) char control[CMSG_SPACE(16 * sizeof(int))] = {};
  msghdr message{};
  message.msg_name = &address;
  message.msg_namelen = sizeof address;
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  const std::vector<int> sent(descriptors, socket);
  if (descriptors != 0) {
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(descriptors * sizeof(int));
    cmsghdr* const rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(descriptors * sizeof(int));
    std::memcpy(CMSG_DATA(rights), sent.data(), descriptors * sizeof(int));
  }
  EXPECT_EQ(::sendmsg(socket, &message, 0), static_cast<ssize_t>(bytes));
  ::close(socket);
}

TEST(PoolSocket, TakesOneDescriptor) {
  PoolSocket socket(false);
  send(socket.path(), 1, sizeof(trace::Announcement));
  bool has_more = false;
  const auto pool = socket.receive(has_more);
  ASSERT_TRUE(pool.has_value());
  EXPECT_EQ(pool->process, ::getpid());
  ASSERT_GE(pool->descriptor, 0);
  ::close(pool->descriptor);
  EXPECT_FALSE(socket.receive(has_more).has_value());
  EXPECT_FALSE(has_more);
}

// It would fill the table of descriptors.
TEST(PoolSocket, KeepsNoDescriptorOfWhatIsNoPool) {
  PoolSocket socket(false);
  constexpr std::size_t kBytes = sizeof(trace::Announcement);
  const std::ptrdiff_t before = open_files();
  const auto check = [&] {
    bool has_more = false;
    const auto pool = socket.receive(has_more);
    ASSERT_TRUE(pool.has_value());
    EXPECT_EQ(pool->process, ::getpid());
    EXPECT_EQ(pool->descriptor, -1);
    EXPECT_EQ(open_files(), before);
  };
  for (const std::size_t descriptors : {0, 2, 3, 16}) {
    send(socket.path(), descriptors, kBytes);
    check();
  }
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, kBytes - 1, kBytes + 1}) {
    send(socket.path(), 1, bytes);
    check();
  }
  send(socket.path(), 1, kBytes, 1);
  check();
}

}  // namespace
}  // namespace mmt::tracing
