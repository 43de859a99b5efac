// Files that are to serve a program's malloc by LD_PRELOAD.
#pragma once

#include <string>

namespace mmt::programs {

// Why the dynamic linker would not load the file, or the program not survive it, or not run on its
// malloc; empty: nothing is known. The dynamic linker would say so in the program's output, and let
// it run on the C library's malloc. Does not throw.
std::string fault_of_malloc_library(const std::string& path);

}  // namespace mmt::programs
