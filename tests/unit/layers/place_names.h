// What tests of observing layers ask of places, and what such a layer wrote.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include <mmt/layers/observe/place.h>

// Functions by which faults are planted must be found by name, so they are C functions. They are
// weak, as the compiler then neither inlines nor clones them. They are not left by a tail call.
// None has the same code as another, which would be made to call it.
#define PLANTED(declaration) extern "C" __attribute__((weak)) declaration
#define KEEP_FRAME() __asm__ volatile("" ::"i"(__LINE__) : "memory")

namespace mmt::layers {

// Whether the innermost function of the place that is no heap layer has that name.
inline bool is_in(const Place& place, const char* function) {
  for (const void* frame : place.frames) {
    Dl_info info;
    const char* name = frame == nullptr ? nullptr : function_of(frame, &info);
    if (name == nullptr) return false;
    if (std::strstr(name, "3mmt6layers") != nullptr) continue;
    return std::strcmp(name, function) == 0;
  }
  return false;
}

// In a loop that the compiler cannot unroll, so that what it calls is one place.
template <class Body>
void repeat(int times, Body&& body) {
  while (times > 0) {
    body();
    --times;
    __asm__ volatile("" : "+r"(times));
  }
}

// A file in memory, for what a layer writes to a descriptor.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(::memfd_create("mmt-test", 0)) {}
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(descriptor_); }

  int descriptor() const { return descriptor_; }
  std::string path() const {
    return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(descriptor_);
  }
  std::string text() const {
    std::string all;
    char part[4096];
    for (off_t at = 0;; at += static_cast<off_t>(sizeof part)) {
      const ssize_t n = ::pread(descriptor_, part, sizeof part, at);
      if (n <= 0) return all;
      all.append(part, static_cast<size_t>(n));
    }
  }

 private:
  int descriptor_;
};

}  // namespace mmt::layers
