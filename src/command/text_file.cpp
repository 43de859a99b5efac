#include "command/text_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include <fmt/format.h>

#include "tracefile/output_file.h"

namespace mmt::command {

void write_text_file(const std::string& path, const std::string& text) {
  const int file = tracefile::open_output(path);
  ssize_t done = 0;
  for (std::size_t at = 0; file >= 0 && done >= 0 && at < text.size();) {
    done = ::write(file, text.data() + at, text.size() - at);
    if (done < 0 && errno == EINTR) done = 0;
    if (done > 0) at += static_cast<std::size_t>(done);
  }
  const int error = errno;
  if (file >= 0) ::close(file);
  if (file >= 0 && done >= 0) return;
  throw std::runtime_error(fmt::format("cannot write '{}': {}", path, std::strerror(error)));
}

}  // namespace mmt::command
