#include "beside/limits.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <mmt/core/compiler.h>
#include <mmt/sys/file.h>

#include "names/forward.h"

namespace mmt::beside {

void (*on_limit)() = nullptr;
void (*after_limit)() = nullptr;

namespace {

bool is_of_memory(int resource) { return resource == RLIMIT_AS || resource == RLIMIT_DATA; }

bool has_limit(__rlimit_resource resource) {
  rlimit limit{};
  return ::getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

// The system may count all address space against its memory, used or not (overcommit_memory=2).
bool counts_all = false;
bool counts_all_memory() {
  char kind = '0';
  sys::read_file("/proc/sys/vm/overcommit_memory", &kind, 1);
  return kind == '2';
}

void note(int resource) {
  if (on_limit != nullptr && is_of_memory(resource)) on_limit();
}

int set(int result) {
  if (after_limit != nullptr) after_limit();
  return result;
}

}  // namespace

void look_for_limits() { counts_all = counts_all_memory(); }
bool has_limits() { return counts_all || has_limit(RLIMIT_AS) || has_limit(RLIMIT_DATA); }

}  // namespace mmt::beside

namespace p = mmt::beside;
using mmt::names::forward;

#define MMT_SETRLIMIT_NAME(name, type)                                            \
  MMT_EXPORT int name(__rlimit_resource_t resource, const type* limit) noexcept { \
    p::note(static_cast<int>(resource));                                          \
    return p::set(forward<int, #name>(resource, limit));                          \
  }
MMT_SETRLIMIT_NAME(setrlimit, rlimit)
MMT_SETRLIMIT_NAME(setrlimit64, rlimit64)

// A limit of another process counts as well, which is nothing to us, but harmless.
#define MMT_PRLIMIT_NAME(name, type)                                                \
  MMT_EXPORT int name(pid_t process, __rlimit_resource resource, const type* limit, \
                      type* before) noexcept {                                      \
    if (limit != nullptr) p::note(static_cast<int>(resource));                      \
    return p::set(forward<int, #name>(process, resource, limit, before));           \
  }
MMT_PRLIMIT_NAME(prlimit, rlimit)
MMT_PRLIMIT_NAME(prlimit64, rlimit64)

// What is there is locked, or what comes, and counts against a limit.
MMT_EXPORT int mlockall(int flags) noexcept {
  if (p::on_limit != nullptr) p::on_limit();
  return forward<int, "mlockall">(flags);
}
