#pragma once
// This is a part of a source, which does not compile alone.
// Calls that change how the program's threads are scheduled, and on which CPUs: the background
// thread goes along at once. What changes by other ways it sees for itself, some time later. Each
// name forwards in one line. Included once in a library, where mmt::confine::BackgroundThread has
// been defined (background_thread.h).
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>

#include <mmt/core/compiler.h>

#include "confine/background_thread.h"
#include "confine/confinement.h"
#include "names/forward.h"

namespace {

template <mmt::names::Name kName, class... Arguments>
int reschedule(Arguments... arguments) {
  return reschedule_with([=] { return mmt::names::forward<int, kName>(arguments...); });
}

}  // namespace

MMT_EXPORT int nice(int change) noexcept { return reschedule<"nice">(change); }
MMT_EXPORT int setpriority(__priority_which_t which, id_t who, int value) noexcept {
  return reschedule<"setpriority">(which, who, value);
}
MMT_EXPORT int sched_setscheduler(pid_t who, int policy, const sched_param* values) noexcept {
  return reschedule<"sched_setscheduler">(who, policy, values);
}
MMT_EXPORT int sched_setparam(pid_t who, const sched_param* values) noexcept {
  return reschedule<"sched_setparam">(who, values);
}
MMT_EXPORT int sched_setaffinity(pid_t who, size_t bytes, const cpu_set_t* cpus) noexcept {
  return reschedule<"sched_setaffinity">(who, bytes, cpus);
}
MMT_EXPORT int pthread_setaffinity_np(pthread_t who, size_t bytes, const cpu_set_t* cpus) noexcept {
  return reschedule<"pthread_setaffinity_np">(who, bytes, cpus);
}
MMT_EXPORT int pthread_setschedparam(pthread_t who, int policy,
                                     const sched_param* values) noexcept {
  return reschedule<"pthread_setschedparam">(who, policy, values);
}
MMT_EXPORT int pthread_setschedprio(pthread_t who, int value) noexcept {
  return reschedule<"pthread_setschedprio">(who, value);
}
// This function is in glibc from 2.41 on. With an earlier glibc, a program that finds this one has
// what it asks for all the same.
MMT_EXPORT int sched_setattr(pid_t who, void* values, unsigned flags) noexcept {
  return static_cast<int>(reschedule_with([=] {
    return next_syscall()(SYS_sched_setattr, who, reinterpret_cast<long>(values),
                          static_cast<long>(flags), 0, 0, 0);
  }));
}
