// The allocators that can be preloaded on this machine: MMT, the C library's own, installed peers.
#pragma once

#include <string>
#include <vector>

namespace mmt::cli {

struct AllocatorInfo {
  std::string name;
  std::string path;     // the library to preload; empty for the C library's own
  std::string package;  // the Debian package that brings it, empty when there is none
  bool installed = false;
};

// All allocators that MMT knows by name, installed or not, MMT and glibc first.
std::vector<AllocatorInfo> known_allocators();

// Where the dynamic linker finds a library of LD_PRELOAD. That is `name` itself if it has a slash,
// else the file of that name in LD_LIBRARY_PATH or the system's folders. Empty: it is in none.
std::string find_shared_library(const std::string& name);

// True for a library of MMT's that replaces malloc, by its file's name.
bool is_own_library(const std::string& path);

}  // namespace mmt::cli
