#include "cli/backends.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "cli/allocators.h"
#include "cli/elf.h"
#include "cli/failure.h"
#include "cli/heaps.h"

namespace mmt::cli {
namespace {

std::string named_path(const std::string& name, int status) {
  std::error_code error;
  const std::string path = std::filesystem::canonical(name, error);
  if (error) {
    throw Failure(status, fmt::format("backend '{}': {}", name, error.message()));
  }
  if (::access(path.c_str(), R_OK) != 0) {
    throw Failure(status, fmt::format("backend '{}': {}", name, std::strerror(errno)));
  }
  if (!ElfFile::open(path)) {
    throw Failure(status, fmt::format("backend '{}': not a shared library", name));
  }
  return path;
}

}  // namespace

std::vector<Named> known_backends() {
  std::vector<Named> all(known_heaps().begin(), known_heaps().end());
  for (const AllocatorInfo& one : known_allocators()) {
    if (!one.installed || one.name == "mmt") continue;
    all.push_back({one.name, one.path.empty() ? "the C library's own allocator" : one.path});
  }
  return all;
}

std::string backend_library_path(const std::string& name, int status) {
  if (name.find('/') != std::string::npos) return named_path(name, status);
  for (const AllocatorInfo& one : known_allocators()) {
    if (one.name != name || name == "mmt") continue;
    if (one.installed) return one.path;
    throw Failure(status, fmt::format("backend '{}' is not installed; the package {} brings it",
                                      name, one.package));
  }
  for (const Named& heap : known_heaps()) {
    if (name == heap.name) return heap_library_path(name, status);
  }
  throw Failure(status, fmt::format("no backend '{}'; there are {}, or a path", name,
                                    names_of(known_backends())));
}

}  // namespace mmt::cli
