#include "cli/command_line/program_command.h"

#include <string>

#include <fmt/format.h>

#include "cli/command_line/parse.h"
#include "command/failure.h"
#include "programs/program.h"

namespace mmt::cli {

using command::Failure;
using command::kNotFound;
using command::kRunFailed;
using programs::Command;
using programs::is_program;

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

}  // namespace mmt::cli
