// Checked writing of report files.
#include "report/output_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "tracefile/output_file.h"

namespace mmt::report {
namespace {

std::string describe(const char* action, const std::string& path, int error) {
  return fmt::format("cannot {} '{}': {}", action, path, std::strerror(error));
}

// Writing beyond the limit on the size of files is an error like others, no reason to die. Put back
// afterwards, since programs that are started inherit what is ignored.
class LimitIsAnError {
 public:
  LimitIsAnError() : before_(std::signal(SIGXFSZ, SIG_IGN)) {}
  LimitIsAnError(const LimitIsAnError&) = delete;
  LimitIsAnError& operator=(const LimitIsAnError&) = delete;
  ~LimitIsAnError() { std::signal(SIGXFSZ, before_); }

 private:
  void (*before_)(int);
};

}  // namespace

std::optional<std::string> OutputFile::open(const std::string& path) {
  path_ = path;
  descriptor_ = tracefile::open_output(path, tracefile::Before::kKept);
  if (descriptor_ < 0 && errno == ELOOP) {
    return fmt::format("cannot open '{}': it is a link of another user's", path_);
  }
  if (descriptor_ < 0) return describe("open", path_, errno);
  return std::nullopt;
}

std::optional<std::string> OutputFile::write(std::string_view text) {
  const LimitIsAnError guard;
  const int descriptor = std::exchange(descriptor_, -1);
  struct stat status {};
  int error = 0;
  if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
      ::ftruncate(descriptor, 0) != 0) {
    error = errno;
  }
  while (error == 0 && !text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  // A disk quota or a network file system may report a full disk only here.
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error != 0) return describe("write", path_, error);
  return std::nullopt;
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace mmt::report
