#include "common/report.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "common/process.h"

namespace mmt::workloads {

namespace {

// Collects text in a fixed buffer; what does not fit is a failure, not a cut line.
class Text {
 public:
  [[gnu::format(printf, 2, 3)]] void add(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int written = std::vsnprintf(buffer_ + size_, sizeof buffer_ - size_, format, arguments);
    va_end(arguments);
    if (written < 0 || static_cast<size_t>(written) >= sizeof buffer_ - size_) std::abort();
    size_ += static_cast<size_t>(written);
  }
  bool write_to(int file) const {
    return ::write(file, buffer_, size_) == static_cast<ssize_t>(size_);
  }

 private:
  char buffer_[8192] = {};
  size_t size_ = 0;
};

void copy(std::string_view from, char* to, size_t room) {
  size_t size = std::min(from.size(), room - 1);
  std::memcpy(to, from.data(), size);
  to[size] = '\0';
}

}  // namespace

void Report::add(std::string_view key, double value, std::string_view unit) {
  if (count_ == kMaxEntries) std::abort();
  Entry& entry = entries_[count_++];
  copy(key, entry.key, sizeof entry.key);
  copy(unit, entry.unit, sizeof entry.unit);
  entry.value = value;
}

int Report::finish() {
  Faults faults = faults_of_process();
  add("minor_faults", static_cast<double>(faults.minor), "count");
  add("major_faults", static_cast<double>(faults.major), "count");

  Text summary;
  summary.add("%s:", program_);
  for (size_t i = 0; i < count_; ++i) {
    summary.add(" %s %.4g %s,", entries_[i].key, entries_[i].value, entries_[i].unit);
  }
  summary.add(" ok\n");
  bool fine = summary.write_to(STDOUT_FILENO);

  const char* path = std::getenv("MMT_BENCH_REPORT");
  if (path == nullptr) return fine ? 0 : 1;
  Text lines;
  for (size_t i = 0; i < count_; ++i) {
    lines.add("%s %.9g %s\n", entries_[i].key, entries_[i].value, entries_[i].unit);
  }
  int file = ::open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0 || !lines.write_to(file) || ::close(file) != 0) {
    std::fprintf(stderr, "%s: cannot write %s\n", program_, path);
    return 1;
  }
  return fine ? 0 : 1;
}

void require(bool right, const char* program, const char* what) {
  if (right) return;
  std::fprintf(stderr, "%s: wrong: %s\n", program, what);
  std::_Exit(1);
}

}  // namespace mmt::workloads
