#pragma once
// These are limits of the process's control groups, v1 and v2, as /proc and the mounted hierarchies
// tell them. A process sees its path in a hierarchy from the root of its cgroup namespace. A mount
// shows a hierarchy from some root too. The process's folder is the mount point with the part of
// the path that lies below the mount's root. A limit binds all groups below it.
//
// `files` is put before every path: "", or a test's folder. Raw calls only: allocates nothing,
// keeps errno, takes little stack; one thread at a time.
#include <cstdint>

namespace mmt::sys::cgroup {

// The smallest CPU quota among the process's groups and those above them, in hundredths of a CPU;
// 0 for none. Groups that cannot be seen do not count.
unsigned quota_percent(const char* files);

// How many tasks these groups let start yet, by the narrowest; kNoTaskLimit where none limits them.
unsigned tasks_left(const char* files);

inline constexpr uint64_t kNoMemoryLimit = UINT64_MAX;

// How many bytes these groups let the process take yet, by the narrowest.
uint64_t memory_left(const char* files);

}  // namespace mmt::sys::cgroup
