// These are functions of libc that malloc and free call in a library which replaces them. They have
// libc's names, hidden. Each goes to libc's own, whoever interposes it for the program. Libc's are
// compiled for an aligned stack, which a caller of malloc may have left unaligned.
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <type_traits>

#include <mmt/core/compiler.h>
#include <mmt/sys/syscall.h>

#include "sys/linux/libc_function.h"

namespace {

using mmt::core::Name;
using mmt::sys::LibcFunction;
using mmt::sys::pointer_argument;
using mmt::sys::raw_syscall;

// What stands for a function that libc does not have.
constexpr auto kErrorNumber = [](auto...) { return ENOSYS; };
constexpr auto kFails = [](auto...) { return -1; };
constexpr auto kNothing = [](auto...) { return 0; };
constexpr auto kNull = [](auto...) { return nullptr; };
constexpr auto kKernelClock = [](clockid_t clock, timespec* now) {
  return static_cast<int>(raw_syscall(SYS_clock_gettime, clock, pointer_argument(now)));
};
constexpr auto kNowhere = [] {
  static int value;
  return &value;
};

// libc's own kName, of the type of `same`.
template <Name kName, auto kMissing, class Result, class... Arguments>
MMT_ALWAYS_INLINE Result call(Result (*same)(Arguments...),
                              std::type_identity_t<Arguments>... arguments) {
  static_cast<void>(same);
  return LibcFunction<kName, Result(Arguments...), decltype(kMissing)>::call(arguments...);
}

}  // namespace

MMT_OWN int* __errno_location() noexcept {
  return call<"__errno_location", kNowhere>(__errno_location);
}

// From the vDSO.
MMT_OWN MMT_ANY_STACK int clock_gettime(clockid_t clock, timespec* now) noexcept {
  return call<"clock_gettime", kKernelClock>(clock_gettime, clock, now);
}

// The process.
MMT_OWN MMT_ANY_STACK unsigned long getauxval(unsigned long type) noexcept {
  return call<"getauxval", kNothing>(getauxval, type);
}
MMT_OWN MMT_ANY_STACK char* getenv(const char* name) noexcept {
  return call<"getenv", kNull>(getenv, name);
}
MMT_OWN MMT_ANY_STACK char* secure_getenv(const char* name) noexcept {
  return call<"secure_getenv", kNull>(secure_getenv, name);
}
MMT_OWN MMT_ANY_STACK int getrlimit(__rlimit_resource_t what, rlimit* limit) noexcept {
  return call<"getrlimit", kFails>(getrlimit, what, limit);
}
MMT_OWN MMT_ANY_STACK ssize_t readlink(const char* path, char* text, size_t size) noexcept {
  return call<"readlink", kFails>(readlink, path, text, size);
}
MMT_OWN MMT_ANY_STACK int dl_iterate_phdr(int (*visit)(dl_phdr_info*, size_t, void*), void* data) {
  return call<"dl_iterate_phdr", kNothing>(dl_iterate_phdr, visit, data);
}

// CPUs.
MMT_OWN MMT_ANY_STACK int sched_getcpu() noexcept {
  return call<"sched_getcpu", kFails>(sched_getcpu);
}
MMT_OWN MMT_ANY_STACK int sched_getaffinity(pid_t who, size_t size, cpu_set_t* cpus) noexcept {
  return call<"sched_getaffinity", kFails>(sched_getaffinity, who, size, cpus);
}
MMT_OWN MMT_ANY_STACK int __sched_cpucount(size_t size, const cpu_set_t* cpus) noexcept {
  return call<"__sched_cpucount", kNothing>(__sched_cpucount, size, cpus);
}

// Threads.
MMT_OWN MMT_ANY_STACK int pthread_key_create(pthread_key_t* key, void (*end)(void*)) noexcept {
  return call<"pthread_key_create", kErrorNumber>(pthread_key_create, key, end);
}
MMT_OWN MMT_ANY_STACK int pthread_setspecific(pthread_key_t key, const void* value) noexcept {
  return call<"pthread_setspecific", kErrorNumber>(pthread_setspecific, key, value);
}
MMT_OWN MMT_ANY_STACK int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                                         void* (*main)(void*), void* argument) noexcept {
  return call<"pthread_create", kErrorNumber>(pthread_create, thread, attributes, main, argument);
}
MMT_OWN MMT_ANY_STACK int pthread_join(pthread_t thread, void** result) {
  return call<"pthread_join", kErrorNumber>(pthread_join, thread, result);
}
MMT_OWN MMT_ANY_STACK int pthread_attr_init(pthread_attr_t* attributes) noexcept {
  return call<"pthread_attr_init", kErrorNumber>(pthread_attr_init, attributes);
}
MMT_OWN MMT_ANY_STACK int pthread_attr_setstack(pthread_attr_t* attributes, void* stack,
                                                size_t size) noexcept {
  return call<"pthread_attr_setstack", kErrorNumber>(pthread_attr_setstack, attributes, stack,
                                                     size);
}
MMT_OWN MMT_ANY_STACK int pthread_sigmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  return call<"pthread_sigmask", kErrorNumber>(pthread_sigmask, how, set, before);
}
MMT_OWN MMT_ANY_STACK int __libc_current_sigrtmin() noexcept {
  return call<"__libc_current_sigrtmin", [] { return 34; }>(__libc_current_sigrtmin);
}
MMT_OWN MMT_ANY_STACK int sigfillset(sigset_t* set) noexcept {
  return call<"sigfillset", kFails>(sigfillset, set);
}

// These calls are for locks.
MMT_OWN MMT_ANY_STACK int pthread_mutex_init(pthread_mutex_t* mutex,
                                             const pthread_mutexattr_t* kind) noexcept {
  return call<"pthread_mutex_init", kErrorNumber>(pthread_mutex_init, mutex, kind);
}
MMT_OWN MMT_ANY_STACK int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  return call<"pthread_mutex_lock", kErrorNumber>(pthread_mutex_lock, mutex);
}
MMT_OWN MMT_ANY_STACK int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  return call<"pthread_mutex_trylock", kErrorNumber>(pthread_mutex_trylock, mutex);
}
MMT_OWN MMT_ANY_STACK int pthread_mutex_timedlock(pthread_mutex_t* mutex,
                                                  const timespec* until) noexcept {
  return call<"pthread_mutex_timedlock", kErrorNumber>(pthread_mutex_timedlock, mutex, until);
}
MMT_OWN MMT_ANY_STACK int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  return call<"pthread_mutex_unlock", kErrorNumber>(pthread_mutex_unlock, mutex);
}
MMT_OWN MMT_ANY_STACK int sem_init(sem_t* semaphore, int shared, unsigned value) noexcept {
  return call<"sem_init", kFails>(sem_init, semaphore, shared, value);
}
MMT_OWN MMT_ANY_STACK int sem_post(sem_t* semaphore) noexcept {
  return call<"sem_post", kFails>(sem_post, semaphore);
}
MMT_OWN MMT_ANY_STACK int sem_trywait(sem_t* semaphore) noexcept {
  return call<"sem_trywait", kFails>(sem_trywait, semaphore);
}
