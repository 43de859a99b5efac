#include "programs/malloc_library.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "programs/elf.h"

namespace mmt::programs {

std::string fault_of_malloc_library(const std::string& path) {
  if (::access(path.c_str(), R_OK) != 0) return std::strerror(errno);
  // To open a pipe would wait for its writer.
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return "it is no regular file";
  const auto file = ElfFile::open(path);
  if (!file) return "it is no shared library";
  if (!file->image().native) return fmt::format("it is built for {}", file->image().machine);
  if (!file->is_whole()) return "it is cut off";
  if (!file->is_shared_library()) return "it is a program, no shared library";
  return file->defines("malloc") ? "" : "it does not define malloc";
}

}  // namespace mmt::programs
