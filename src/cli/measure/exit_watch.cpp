#include "cli/measure/exit_watch.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <initializer_list>

namespace mmt::cli {
namespace {

// A descriptor for the filter's listener, or -1.
int install() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{sizeof program / sizeof *program, program};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return static_cast<int>(
      ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter));
}

// One byte, with a descriptor unless there is none.
struct Packet {
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  char byte = 'x';
  iovec data{&byte, 1};
  msghdr header{};

  Packet() {
    header.msg_iov = &data;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof control;
  }
};

}  // namespace

ExitWatch::ExitWatch() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
  parent_ = ends[0];
  child_ = ends[1];
}

ExitWatch::~ExitWatch() {
  for (const int one : {parent_, child_, listener_}) {
    if (one >= 0) ::close(one);
  }
}

void ExitWatch::announce() {
  if (child_ < 0) return;
  ::close(parent_);
  const int listener = install();
  Packet packet;
  if (listener >= 0) {
    cmsghdr* const told = CMSG_FIRSTHDR(&packet.header);
    told->cmsg_level = SOL_SOCKET;
    told->cmsg_type = SCM_RIGHTS;
    told->cmsg_len = CMSG_LEN(sizeof listener);
    std::memcpy(CMSG_DATA(told), &listener, sizeof listener);
  } else {
    packet.header.msg_control = nullptr;
    packet.header.msg_controllen = 0;
  }
  ::sendmsg(child_, &packet.header, MSG_NOSIGNAL);
  if (listener >= 0) ::close(listener);
  ::close(child_);
}

bool ExitWatch::begin() {
  if (child_ < 0) return false;
  ::close(child_);
  child_ = -1;
  Packet packet;
  if (::recvmsg(parent_, &packet.header, MSG_CMSG_CLOEXEC) != 1) return false;
  const cmsghdr* const told = CMSG_FIRSTHDR(&packet.header);
  if (told == nullptr || told->cmsg_type != SCM_RIGHTS) return false;
  std::memcpy(&listener_, CMSG_DATA(told), sizeof listener_);
  return true;
}

bool ExitWatch::wait(int milliseconds) {
  pollfd news{listener_, POLLIN, 0};
  if (::poll(&news, 1, milliseconds) <= 0 || (news.revents & POLLIN) == 0) return false;
  seccomp_notif one{};
  if (::ioctl(listener_, SECCOMP_IOCTL_NOTIF_RECV, &one) != 0) return false;  // it was killed
  stopped_ = one.id;
  return true;
}

void ExitWatch::go_on() {
  seccomp_notif_resp answer{};
  answer.id = stopped_;
  answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  ::ioctl(listener_, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

}  // namespace mmt::cli
