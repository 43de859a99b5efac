// Readers of files that may be anything, under a bound of memory that they are to hold.
#pragma once

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>

#include "tracefile/memory_bound.h"

namespace mmt::fuzz {

// A file without a name, in memory.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(::memfd_create("mmt-fuzz", MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw std::logic_error("no file in memory");
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }
  void put(const std::string& bytes) const {
    const bool is_put =
        ::ftruncate(descriptor_, 0) == 0 &&
        ::pwrite(descriptor_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size());
    if (!is_put) throw std::logic_error("the file cannot be written");
  }

 private:
  int descriptor_;
};

inline constexpr uint64_t kReadersBound = uint64_t{48} << 20;

// The most memory that the process had at a time, and what it has. Zero: the system does not tell.
class MostMemory {
 public:
  // Forgets what was before.
  MostMemory() : before_(begin() ? bytes_of("VmRSS:") : UINT64_MAX) {}
  // Whether it was more than the bound of readers and what comes between two looks; under a
  // sanitizer its own tables, too.
  bool is_too_much() const {
    static const bool is_sanitized =
        ::dlsym(RTLD_DEFAULT, "__sanitizer_print_stack_trace") != nullptr;
    const uint64_t slack = uint64_t{is_sanitized ? 1024u : 48u} << 20;
    return before_ != UINT64_MAX && bytes_of("VmHWM:") > before_ + kReadersBound + slack;
  }

 private:
  static bool begin() {
    std::ofstream file("/proc/self/clear_refs");
    file << 5;
    return static_cast<bool>(file.flush());
  }
  static uint64_t bytes_of(const char* name) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with(name)) return std::stoull(line.substr(std::strlen(name))) * 1024;
    }
    return 0;
  }

  uint64_t before_;
};

// What a reader may say: that something is wrong, by std::runtime_error, or that it takes too much.
// Anything else that it throws fails, and that it took more.
inline void read_bounded(const std::function<void()>& read) {
  const MostMemory memory;
  tracefile::MemoryBound::set(kReadersBound);
  try {
    read();
  } catch (const tracefile::TooMuchMemory&) {
  } catch (const std::bad_alloc&) {
    tracefile::MemoryBound::set(0);
    throw std::logic_error("memory was out before the bound was met: " +
                           tracefile::NowReading::place());
  } catch (const std::runtime_error&) {
  }
  tracefile::MemoryBound::set(0);
  if (memory.is_too_much()) throw std::logic_error("the bound of memory was not held");
}

}  // namespace mmt::fuzz
