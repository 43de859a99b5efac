#include "base/output.h"

#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "base/fail.h"

namespace mmt::workloads::classic {

void Output::print(const char* format, ...) {
  if (sizeof text_ - size_ <= kLongest) flush();
  va_list arguments;
  va_start(arguments, format);
  int written = std::vsnprintf(text_ + size_, sizeof text_ - size_, format, arguments);
  va_end(arguments);
  if (written < 0 || static_cast<size_t>(written) > kLongest) fail("a line is too long to print");
  size_ += static_cast<size_t>(written);
}

void Output::flush() {
  size_t done = 0;
  while (done < size_) {
    ssize_t written = ::write(file_, text_ + done, size_ - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("cannot write: %s", std::strerror(errno));
    done += static_cast<size_t>(written);
  }
  size_ = 0;
}

}  // namespace mmt::workloads::classic
