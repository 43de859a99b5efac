// What the kernel says of this process's anonymous mappings, read without allocating: a test of the
// heap compares it with the heap's own figures.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace mmt::test {

struct Smaps {
  size_t size = 0;      // bytes
  size_t resident = 0;  // bytes

  // The sums are of all mappings without a name.
  static Smaps now() {
    static char text[size_t{4} << 20];
    const int file = ::open("/proc/self/smaps", O_RDONLY | O_CLOEXEC);
    size_t size = 0;
    for (ssize_t some; (some = ::read(file, text + size, sizeof text - 1 - size)) > 0;)
      size += static_cast<size_t>(some);
    ::close(file);
    if (size == 0 || size == sizeof text - 1) throw std::runtime_error("no smaps");
    text[size] = '\0';
    Smaps sum;
    bool counts = false;
    for (char* line = ::strtok(text, "\n"); line != nullptr; line = ::strtok(nullptr, "\n")) {
      size_t begin = 0;
      size_t end = 0;
      int named = 0;
      size_t kib = 0;
      if (std::sscanf(line, "%zx-%zx %*s %*s %*s %*s %n", &begin, &end, &named) == 2) {
        counts = line[named] == '\0';
        if (counts) sum.size += end - begin;
      } else if (counts && std::sscanf(line, "Rss: %zu kB", &kib) == 1) {
        sum.resident += kib << 10;
      }
    }
    return sum;
  }
};

}  // namespace mmt::test
