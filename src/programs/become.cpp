#include "programs/become.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "command/failure.h"
#include "programs/elf.h"
#include "programs/program.h"

namespace mmt::programs {

using command::Failure;
using command::kNotExecutable;

void become(const std::string& path, const Command& command) {
  std::vector<char*> arguments;
  for (const std::string& one : command) arguments.push_back(const_cast<char*>(one.c_str()));
  arguments.push_back(nullptr);
  std::fflush(nullptr);
  // A path with a slash is not searched for; a text without #! goes to the shell, as everywhere.
  if (ElfFile::open(path)) {
    ::execv(path.c_str(), arguments.data());
  } else {
    ::execvp(path.c_str(), arguments.data());
  }
  const int error = errno;
  const auto interpreter = script_interpreter(path);
  if (error == ENOENT && interpreter) {
    const bool returns = interpreter->ends_with('\r');
    throw Failure(
        kNotExecutable,
        fmt::format("cannot run '{}': its interpreter '{}{}' does not exist{}", command.front(),
                    interpreter->substr(0, interpreter->find('\r')), returns ? "\\r" : "",
                    returns ? "; its lines end in carriage returns" : ""));
  }
  throw Failure(kNotExecutable,
                fmt::format("cannot run '{}': {}", command.front(), std::strerror(error)));
}

}  // namespace mmt::programs
