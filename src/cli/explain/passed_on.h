// What a program has written goes to standard output as it is, as cat has it. Nothing of this
// command's own is said in that way.
#pragma once

#include <cerrno>
#include <cstdio>
#include <string_view>
#include <system_error>

namespace mmt::cli {

// Throws std::system_error: it cannot be written.
inline void pass_on(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size())
    throw std::system_error(errno, std::generic_category());
}

// Lets out what was shown or passed on. Throws as that does.
inline void flush_output() {
  if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category());
}

}  // namespace mmt::cli
