#include "command/distinct_files.h"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

namespace mmt::command {

void check_distinct(const std::string& output, const std::string& input, int status) {
  namespace fs = std::filesystem;
  std::error_code ignored;  // what is not there is no other file either
  if (!fs::is_regular_file(output, ignored) || !fs::equivalent(output, input, ignored)) return;
  throw Failure(status, fmt::format("cannot write '{}': it is what is read, '{}'", output, input));
}

}  // namespace mmt::command
