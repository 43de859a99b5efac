// Becoming an ordinary user (nobody), for limits that do not bind root. Does nothing when the test
// is run by an ordinary user already.
#pragma once

#include <fcntl.h>
#include <grp.h>
#include <sys/stat.h>

#include "support/expect.h"

enum { kNobody = 65534 };

__attribute__((unused)) static void become_ordinary_user(void) {
  if (getuid() != 0) return;
  EXPECT(setgroups(0, NULL) == 0);
  EXPECT(setresgid(kNobody, kNobody, kNobody) == 0);
  EXPECT(setresuid(kNobody, kNobody, kNobody) == 0);
  EXPECT(setuid(0) == -1);
}

// Copies a file to one that anybody may read and execute.
__attribute__((unused)) static void copy_for_everybody(const char* from, const char* to) {
  int in = open(from, O_RDONLY);
  int out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0755);
  EXPECT(in >= 0 && out >= 0, "%s to %s", from, to);
  char buffer[65536];
  ssize_t n;
  while ((n = read(in, buffer, sizeof buffer)) > 0) EXPECT(write(out, buffer, (size_t)n) == n);
  EXPECT(n == 0 && fchmod(out, 0755) == 0 && close(out) == 0 && close(in) == 0);
}
