// A limit on the address space, as `ulimit -v` sets it.
#pragma once

#include <sys/resource.h>

#include "support/expect.h"

__attribute__((unused)) static size_t address_space(void) {
  size_t pages = 0;
  FILE* statm = fopen("/proc/self/statm", "r");
  EXPECT(statm != NULL && fscanf(statm, "%zu", &pages) == 1);
  fclose(statm);
  return pages * 4096;
}

// From now on the process gets so many bytes more than it has.
__attribute__((unused)) static void limit_address_space(size_t room) {
  const struct rlimit limit = {address_space() + room, RLIM_INFINITY};
  EXPECT(setrlimit(RLIMIT_AS, &limit) == 0);
}
