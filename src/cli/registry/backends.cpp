#include "cli/registry/backends.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "cli/registry/allocators.h"
#include "cli/registry/heaps.h"
#include "command/failure.h"
#include "programs/elf.h"
#include "programs/malloc_library.h"

namespace mmt::cli {

using command::Failure;
using programs::ElfFile;
using programs::fault_of_malloc_library;

namespace {

// Ours have a memory thread of their own, and a sanitizer's runtime waits for itself behind
// another.
std::string fault_behind_a_protocol(const std::string& path) {
  const auto file = ElfFile::open(path);
  const auto defines = [&](const char* name) { return file && file->defines(name); };
  const std::string name = std::filesystem::path(path).filename().string();
  if (defines("mmt_stats_page") || name.starts_with("libmmt-protocol-")) {
    return "it has a memory thread of its own: --backend native is that heap";
  }
  constexpr std::array kSanitizers{"__asan_init", "__tsan_init", "__msan_init", "__lsan_init"};
  return std::any_of(kSanitizers.begin(), kSanitizers.end(), defines)
             ? "it is a sanitizer's runtime"
             : "";
}

std::string usable(const std::string& path, int status) {
  std::string fault = fault_of_malloc_library(path);
  if (fault.empty()) fault = fault_behind_a_protocol(path);
  if (fault.empty()) return path;
  throw Failure(status, fmt::format("cannot use the backend '{}': {}", path, fault));
}

std::string named_path(const std::string& name, int status) {
  std::error_code error;
  const std::string path = std::filesystem::canonical(name, error);
  if (!error) return usable(path, status);
  throw Failure(status, fmt::format("cannot use the backend '{}': {}", name, error.message()));
}

}  // namespace

std::vector<Named> known_backends() {
  std::vector<Named> all = known_heaps();
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
    if (one.installed) return one.path.empty() ? "" : usable(one.path, status);
    throw Failure(status, fmt::format("backend '{}' is not installed; the package {} brings it",
                                      name, one.package));
  }
  if (is_layered_heap(name)) return heap_library_path(name, status);
  refuse_model(name, status);
  // As `mmt bench --allocators` has both in one word.
  if (const std::size_t plus = name.find('+'); plus != std::string::npos) {
    throw Failure(status, fmt::format("no backend '{}'; did you mean '--backend {} --protocol {}'?",
                                      name, name.substr(0, plus), name.substr(plus + 1)));
  }
  throw Failure(status, no_such("backend", name, known_backends(), ", or a path"));
}

}  // namespace mmt::cli
