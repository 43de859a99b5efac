// The terminal that people read at.
#pragma once

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstddef>

namespace mmt::cli {

// Of the terminal that standard output is; 0 when it is none or does not say.
inline std::size_t terminal_columns() {
  winsize window{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 ? window.ws_col : 0;
}

}  // namespace mmt::cli
