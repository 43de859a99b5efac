// What the kernel says about this process, read without allocating.
#pragma once

#include <fcntl.h>

#include "support/expect.h"

// Reads a small /proc file into a buffer and ends it with NUL. Returns the length, -1 on failure.
__attribute__((unused)) static ssize_t read_small_file(const char* path, char* buffer,
                                                       size_t capacity) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  size_t length = 0;
  for (;;) {
    ssize_t n = read(fd, buffer + length, capacity - 1 - length);
    if (n <= 0) break;
    length += (size_t)n;
  }
  close(fd);
  buffer[length] = 0;
  return (ssize_t)length;
}

// A number from /proc/self/status, such as "VmRSS:" (in the unit the kernel prints: KiB).
__attribute__((unused)) static size_t status_value(const char* key) {
  char text[4096];
  EXPECT(read_small_file("/proc/self/status", text, sizeof text) > 0);
  const char* at = strstr(text, key);
  EXPECT(at != NULL, "%s", key);
  return strtoul(at + strlen(key), NULL, 10);
}

__attribute__((unused)) static size_t resident_bytes(void) { return status_value("VmRSS:") * 1024; }
// Resident bytes as soon as they are `most` or fewer, or after 40 s: time for a machine under load.
__attribute__((unused)) static size_t resident_within(size_t most) {
  for (int i = 0; i < 400 && resident_bytes() > most; ++i) usleep(100000);
  return resident_bytes();
}
__attribute__((unused)) static size_t mapped_bytes(void) { return status_value("VmSize:") * 1024; }
__attribute__((unused)) static size_t thread_count(void) { return status_value("Threads:"); }
