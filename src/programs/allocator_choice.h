// What is to serve a program's malloc.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace mmt::programs {

// How a program is run on an allocator.
struct AllocatorChoice {
  std::string name;                    // for people: the words that chose it, or the own name
  std::vector<std::string> libraries;  // for LD_PRELOAD, in its order; none for glibc
  // Variables that the libraries need.
  std::vector<std::pair<std::string, std::string>> environment;
  std::string options;   // those of the native heap, as they were given
  bool is_ours = false;  // has a library of MMT's in it, so is no peer
  bool is_native = false;
  std::string missing;  // what brings it; empty: it is there

  // The file that serves malloc; empty: the C library.
  std::string serves_malloc() const { return libraries.empty() ? "" : libraries.front(); }
};

}  // namespace mmt::programs
