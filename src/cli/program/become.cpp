#include "cli/program/become.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "cli/command_line/parse.h"
#include "cli/failure.h"
#include "cli/program/elf.h"
#include "cli/program/program.h"

namespace mmt::cli {

Command program_command(const CLI::App& app, const Command& behind_marker) {
  Command command = app.remaining();
  if (command.empty()) {
    if (behind_marker.empty()) {
      throw Failure(
          kRunFailed,
          fmt::format("no program given: mmt {} [options] -- program [arguments]", app.get_name()));
    }
    return behind_marker;
  }
  if (command.front().starts_with("-")) {
    throw Failure(kRunFailed,
                  with_help(unknown_option(app, command.front()), "mmt " + app.get_name()));
  }
  if (const std::string option = "--" + command.front();
      behind_marker.empty() && app.get_option_no_throw(option) != nullptr &&
      !is_program(command.front())) {
    throw Failure(kNotFound, with_help(fmt::format("there is no program '{}'; did you mean '{}'?",
                                                   command.front(), option),
                                       "mmt " + app.get_name()));
  }
  if (!behind_marker.empty()) {
    command.emplace_back("--");
    command.insert(command.end(), behind_marker.begin(), behind_marker.end());
  }
  return command;
}

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

}  // namespace mmt::cli
