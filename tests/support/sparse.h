// The header is for tests of what becomes resident. It has the peak of the process, and runs of the
// test itself with other arguments, in a process of their own each.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/expect.h"

// The peak, in KiB, is of this program's memory alone, not of what it was before it was started.
static inline long peak_kib(void) {
  char line[128];
  long kib = -1;
  FILE* status = fopen("/proc/self/status", "r");
  EXPECT(status != NULL);
  while (fgets(line, sizeof line, status) != NULL)
    if (sscanf(line, "VmHWM: %ld", &kib) == 1) break;
  fclose(status);
  EXPECT(kib > 0);
  return kib;
}

// A quarter more than what was touched, and 8 MiB. glibc touches a block's head as well.
static inline void expect_peak_of(size_t touched_bytes, const char* of_what) {
  const long most = (long)(touched_bytes / 4 * 5 >> 10) + (8 << 10);
  const long peak = peak_kib();
  EXPECT(peak <= most, "%s: peak of %ld KiB, at most %ld", of_what, peak, most);
}

// This program again, with one argument, once with a memory thread and once without.
static inline void run_again(const char* argument) {
  for (int direct = 0; direct < 2; ++direct) {
    const pid_t child = fork();
    EXPECT(child >= 0);
    if (child == 0) {
      if (direct) setenv("MMT_SERVER", "off", 1);
      execl("/proc/self/exe", "again", argument, (char*)NULL);
      _exit(127);
    }
    int status = 0;
    EXPECT(waitpid(child, &status, 0) == child);
    EXPECT(status == 0, "%s, %s a memory thread: status %x", argument, direct ? "without" : "with",
           status);
  }
}
