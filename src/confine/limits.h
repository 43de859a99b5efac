#pragma once
// This is a part of a source, which does not compile alone.
// Limits of the process: under some the background thread goes away before the call returns. Each
// name forwards in one line. Included once in a library.
#include <sys/resource.h>

#include "confine/scheduling.h"

MMT_EXPORT int setrlimit(__rlimit_resource_t which, const rlimit* limit) noexcept {
  return reschedule<"setrlimit">(which, limit);
}
MMT_EXPORT int setrlimit64(__rlimit_resource_t which, const rlimit64* limit) noexcept {
  return reschedule<"setrlimit64">(which, limit);
}
MMT_EXPORT int prlimit(pid_t who, __rlimit_resource which, const rlimit* limit,
                       rlimit* before) noexcept {
  return reschedule<"prlimit">(who, which, limit, before);
}
MMT_EXPORT int prlimit64(pid_t who, __rlimit_resource which, const rlimit64* limit,
                         rlimit64* before) noexcept {
  return reschedule<"prlimit64">(who, which, limit, before);
}
