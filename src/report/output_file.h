// Report files whose every failure is seen: a path that cannot be opened, a disk that fills up.
//
// Opening early and writing late lets a long measurement fail in its first second when its report
// has nowhere to go. The file is truncated only when something is written.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mmt::report {

class OutputFile {
 public:
  // Neither call throws; each returns a message naming the path when it fails.
  // States: closed -> open() -> open -> write() -> closed.
  std::optional<std::string> open(const std::string& path);
  std::optional<std::string> write(std::string_view text);

  OutputFile() = default;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

 private:
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace mmt::report
