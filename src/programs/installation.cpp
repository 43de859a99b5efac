// Locating the library, the suites and the workloads.
#include "programs/installation.h"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "command/failure.h"
#include "programs/malloc_library.h"

namespace mmt::programs {

using command::Failure;
using command::kFailed;

namespace {

namespace fs = std::filesystem;

std::string from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

fs::path prefix() { return fs::path(own_path()).parent_path().parent_path(); }

// A build tree is build/<preset> of the sources.
fs::path sources() { return prefix().parent_path().parent_path(); }

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
  const std::string fault = fault_of_malloc_library(path);
  if (fault.empty()) return path;
  std::string more = " (named by MMT_LIBRARY)";
  if (from_environment("MMT_LIBRARY").empty()) more = remedy_for(path);
  if (more.empty()) more = " (MMT_LIBRARY may name another)";
  throw Failure(status, fmt::format("cannot use the library '{}': {}{}", path, fault, more));
}

namespace {

std::string beside_library(const char* file) {
  return (fs::path(expected_library_path()).parent_path() / file).string();
}

std::string usable_or_fail(const std::string& path, int status) {
  const std::string fault = fault_of_malloc_library(path);
  if (fault.empty()) return path;
  throw Failure(status,
                fmt::format("cannot use the library '{}': {}{}", path, fault, remedy_for(path)));
}

}  // namespace

std::string expected_hardened_path() { return beside_library("libmmt-harden.so"); }
std::string hardened_path(int status) { return usable_or_fail(expected_hardened_path(), status); }
std::string expected_guarding_path() { return beside_library("libmmt-guard.so"); }
std::string guarding_path(int status) { return usable_or_fail(expected_guarding_path(), status); }

std::string library_beside(const std::string& file, int status) {
  return usable_or_fail((prefix() / "lib" / file).string(), status);
}

std::string suites_folder() {
  if (const std::string path = from_environment("MMT_BENCH_SUITES"); !path.empty()) return path;
  return either(prefix() / "share" / "mmt" / "suites", sources() / "workloads" / "suites");
}

std::string scripts_folder() {
  return (fs::path(suites_folder()).parent_path() / "scripts").string();
}

std::string lab_folder() {
  if (const std::string path = from_environment("MMT_LAB"); !path.empty()) return path;
  return either(prefix() / "share" / "mmt" / "lab", sources() / "lab");
}

std::string python_path() {
  if (const std::string path = from_environment("MMT_LAB_PYTHON"); !path.empty()) return path;
  std::error_code ignored;
  // Beside an installation's prefix, a folder of that name is somebody else's.
  const bool is_installed = fs::exists(prefix() / "share" / "mmt" / "lab", ignored);
  const fs::path own = prefix().parent_path() / "python" / "bin" / "python3";
  return !is_installed && fs::exists(own, ignored) ? own.string() : "/usr/bin/python3";
}

std::string remedy_for(const std::string& path) {
  std::error_code ignored;
  const bool is_there = fs::exists(path, ignored);
  return !is_there && fs::exists(prefix() / "CMakeCache.txt", ignored) ? " ('make' makes it)" : "";
}

std::string sources_folder() { return sources().string(); }

std::string libraries_folder() { return (prefix() / "lib").string(); }

std::string workloads_folder() {
  if (const std::string path = from_environment("MMT_BENCH_WORKLOADS"); !path.empty()) return path;
  return either(prefix() / "libexec" / "mmt" / "workloads", prefix() / "workloads");
}

}  // namespace mmt::programs
