// Locating the library, the suites and the workloads.
#include "cli/installation.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "cli/failure.h"

namespace mmt::cli {
namespace {

namespace fs = std::filesystem;

std::string from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

fs::path prefix() { return fs::path(own_path()).parent_path().parent_path(); }

// The first of two folders that exists, else the first.
std::string either(const fs::path& installed, const fs::path& built) {
  std::error_code ignored;
  return (fs::exists(installed, ignored) || !fs::exists(built, ignored) ? installed : built)
      .string();
}

}  // namespace

std::string own_path() {
  std::error_code error;
  const fs::path path = fs::read_symlink("/proc/self/exe", error);
  if (error) throw Failure(kFailed, "cannot read /proc/self/exe: " + error.message());
  return path.string();
}

std::string expected_library_path() {
  if (const std::string path = from_environment("MMT_LIBRARY"); !path.empty()) {
    return fs::absolute(path).string();
  }
  return (prefix() / "lib" / "libmmt.so").string();
}

std::string library_path(int status) {
  const std::string path = expected_library_path();
  if (::access(path.c_str(), R_OK) != 0) {
    throw Failure(
        status,
        fmt::format("cannot use the library '{}': {}{}", path, std::strerror(errno),
                    from_environment("MMT_LIBRARY").empty() ? " (MMT_LIBRARY may name another)"
                                                            : " (named by MMT_LIBRARY)"));
  }
  return path;
}

std::string suites_folder() {
  if (const std::string path = from_environment("MMT_BENCH_SUITES"); !path.empty()) return path;
  // A build tree is build/<preset> of the sources.
  return either(prefix() / "share" / "mmt" / "suites",
                prefix().parent_path().parent_path() / "workloads" / "suites");
}

std::string workloads_folder() {
  if (const std::string path = from_environment("MMT_BENCH_WORKLOADS"); !path.empty()) return path;
  return either(prefix() / "libexec" / "mmt" / "workloads", prefix() / "workloads");
}

}  // namespace mmt::cli
