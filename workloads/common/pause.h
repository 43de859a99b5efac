// Sleeping without a library call, so that nothing but the allocator itself can act meanwhile.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <ctime>

namespace mmt::workloads {

inline void pause_for(uint64_t milliseconds) {
  timespec left{static_cast<time_t>(milliseconds / 1000),
                static_cast<long>(milliseconds % 1000) * 1'000'000};
  while (::syscall(SYS_nanosleep, &left, &left) != 0 && errno == EINTR) {
  }
}

}  // namespace mmt::workloads
