// The files mapped into a process, from /proc/PID/maps.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mmt::programs {

struct MappedFile {
  std::uint64_t base = 0;  // where offset 0 of the file is mapped
  std::string path;        // as the kernel names it, with " (deleted)" when the file is gone

  // The last component of the path.
  std::string name() const { return path.substr(path.rfind('/') + 1); }
};

// Files whose start is mapped, in address order, each mapping once. nullopt, with errno set, when
// the maps cannot be read. Empty for kernel threads and processes that have ended, be it while they
// were read: never a part.
std::optional<std::vector<MappedFile>> mapped_files(pid_t process);

// The same from the text of a maps file.
std::vector<MappedFile> parse_maps(const std::string& text);

}  // namespace mmt::programs
