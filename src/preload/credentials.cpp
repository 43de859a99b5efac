// Changes of user and group. libc carries them over to every thread it knows of; the memory thread
// is below libc. So it leaves, and comes again as a thread of the caller's. Each name forwards in
// one line. (initgroups does not call setgroups by its public name.)
#include <grp.h>
#include <unistd.h>

#include <cstddef>

#include <mmt/core/compiler.h>

#include "abi/forward.h"
#include "offload/server_thread.h"

namespace {

template <mmt::abi::Name kName, class... Arguments>
int change(Arguments... arguments) {
  const int result = mmt::abi::forward<int, kName>(arguments...);
  if (result != 0) return result;
  mmt::offload::stop_server();
  mmt::offload::start_server_if_due();
  return 0;
}

}  // namespace

MMT_EXPORT int setuid(uid_t real) noexcept { return change<"setuid">(real); }
MMT_EXPORT int setgid(gid_t real) noexcept { return change<"setgid">(real); }
MMT_EXPORT int seteuid(uid_t effective) noexcept { return change<"seteuid">(effective); }
MMT_EXPORT int setegid(gid_t effective) noexcept { return change<"setegid">(effective); }
MMT_EXPORT int setreuid(uid_t real, uid_t effective) noexcept {
  return change<"setreuid">(real, effective);
}
MMT_EXPORT int setregid(gid_t real, gid_t effective) noexcept {
  return change<"setregid">(real, effective);
}
MMT_EXPORT int setresuid(uid_t real, uid_t effective, uid_t saved) noexcept {
  return change<"setresuid">(real, effective, saved);
}
MMT_EXPORT int setresgid(gid_t real, gid_t effective, gid_t saved) noexcept {
  return change<"setresgid">(real, effective, saved);
}
MMT_EXPORT int setgroups(size_t count, const gid_t* groups) noexcept {
  return change<"setgroups">(count, groups);
}
MMT_EXPORT int initgroups(const char* user, gid_t group) {
  return change<"initgroups">(user, group);
}
