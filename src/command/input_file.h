// Files that people write by hand: configurations.
#pragma once

#include <string>

namespace mmt::command {

// The whole of a file. Throws Failure(status) naming `what` and the path when it cannot be read or
// has more than 1 MiB, as /dev/zero has.
std::string text_of_file(const std::string& path, const char* what, int status);

}  // namespace mmt::command
