// Looking for allocators to compare with.
#include "cli/registry/allocators.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "cli/registry/built.h"
#include "cli/registry/heaps.h"
#include "programs/installation.h"

namespace mmt::cli {

using programs::expected_library_path;

namespace {

// Other people's allocators.
struct Peer {
  const char* name;
  const char* package;  // Debian's; empty: it has none, and is listed where somebody installed it
  std::array<const char*, 3> files;  // newest first; the rest is null
};

constexpr Peer kPeers[] = {
    {"jemalloc", "libjemalloc2", {"libjemalloc.so.2"}},
    {"mimalloc", "libmimalloc2.0", {"libmimalloc.so.3", "libmimalloc.so.2", "libmimalloc.so.2.0"}},
    {"tcmalloc", "libgoogle-perftools4", {"libtcmalloc.so.4"}},
    {"tcmalloc-minimal", "libtcmalloc-minimal4", {"libtcmalloc_minimal.so.4"}},
    {"tbbmalloc", "libtbbmalloc2", {"libtbbmalloc_proxy.so.2"}},
    {"snmalloc", "", {"libsnmallocshim.so"}},
    {"rpmalloc", "", {"librpmallocwrap.so", "librpmalloc.so"}},
    {"hardened-malloc", "", {"libhardened_malloc.so", "libhardened_malloc-light.so"}},
};

// Local installations go before the distribution's.
constexpr const char* kFolders[] = {
    "/usr/local/lib",
#if defined(__x86_64__)
    "/usr/lib/x86_64-linux-gnu",
#elif defined(__aarch64__)
    "/usr/lib/aarch64-linux-gnu",
#endif
    "/usr/lib64",
    "/usr/lib",
};

// Empty: it is not there.
std::string path_in(const std::string& folder, const std::string& file) {
  std::string path = folder + "/" + file;
  return ::access(path.c_str(), R_OK) == 0 ? path : "";
}

std::string find_library(const Peer& peer) {
  for (const char* folder : kFolders) {
    for (const char* file : peer.files) {
      if (file == nullptr) continue;
      std::string path = path_in(folder, file);
      if (!path.empty()) return path;
    }
  }
  return "";
}

}  // namespace

std::vector<AllocatorInfo> known_allocators() {
  const std::string library = expected_library_path();
  std::vector<AllocatorInfo> all{
      {"mmt", library, "", ::access(library.c_str(), R_OK) == 0},
      {"glibc", "", "libc6", true},
  };
  for (const Peer& peer : kPeers) {
    std::string path = find_library(peer);
    const bool installed = !path.empty();
    if (!installed && *peer.package == '\0') continue;
    all.push_back({peer.name, std::move(path), peer.package, installed});
  }
  return all;
}

std::string find_shared_library(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* const own = std::getenv("LD_LIBRARY_PATH");
  std::istringstream folders(own != nullptr ? own : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string path = path_in(folder.empty() ? "." : folder, name);
    if (!path.empty()) return path;
  }
  for (const char* folder : kFolders) {
    std::string path = path_in(folder, name);
    if (!path.empty()) return path;
  }
  return "";
}

bool is_own_library(const std::string& path) {
  const std::string file = path.substr(path.rfind('/') + 1);
  const auto is_of = [&](std::span<const Built> all, auto&& file_of) {
    return std::any_of(all.begin(), all.end(),
                       [&](const Built& one) { return file == file_of(one.name); });
  };
  const auto protocol_file = [](const std::string& name) {
    return fmt::format("libmmt-protocol-{}.so", name);
  };
  return file.starts_with("libmmt.") || is_of(built_heaps(), heap_library_file) ||
         is_of(built_protocols(), protocol_file);
}

}  // namespace mmt::cli
