#pragma once
// This is a part of a source, which does not compile alone.
// These calls change users, groups and capabilities. Some changes are carried over by libc to every
// thread it knows of, others are the caller's alone. The background thread is below libc. So it
// leaves, and comes again as a thread of the program's. Each name forwards in one line. (initgroups
// does not call setgroups by its public name.) The file is included once in a library, where
// mmt::confine::BackgroundThread has been defined (background_thread.h).
#include <grp.h>
#include <linux/capability.h>
#include <sys/fsuid.h>
#include <unistd.h>

#include <cstddef>

#include <mmt/core/compiler.h>

#include "confine/background_thread.h"
#include "confine/confinement.h"
#include "names/forward.h"

namespace {

template <mmt::names::Name kName, class... Arguments>
int change(Arguments... arguments) {
  const int result = mmt::names::forward<int, kName>(arguments...);
  if (result == 0) BackgroundThread::identity_changed(true);
  return result;
}

// They answer with the one of before. One that cannot be asks for it.
template <mmt::names::Name kName>
int change_for_files(unsigned id) {
  const int before = mmt::names::forward<int, kName>(id);
  if (id != ~0u && static_cast<unsigned>(before) != id) BackgroundThread::identity_changed(false);
  return before;
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
MMT_EXPORT int setfsuid(uid_t user) noexcept { return change_for_files<"setfsuid">(user); }
MMT_EXPORT int setfsgid(gid_t group) noexcept { return change_for_files<"setfsgid">(group); }
// libc has no declaration of it.
MMT_EXPORT int capset(cap_user_header_t header, cap_user_data_t data) noexcept {
  return give_up_with(false, [=] { return mmt::names::forward<int, "capset">(header, data); });
}
