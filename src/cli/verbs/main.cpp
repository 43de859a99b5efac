// The command line tool: parses its command line and runs one verb.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "cli/command_line/parse.h"
#include "cli/verbs/all_verbs.h"
#include "command/failure.h"
#include "command/message.h"
#include "tracefile/memory_bound.h"

namespace mmt::cli {

using command::kFailed;
using command::tell;

namespace {

int complain(int status, std::string_view text) {
  tell(text);
  return status;
}

// Why stdout did not take everything that was printed: a full disk must not pass for success.
// Empty: it did. `error`: what an earlier attempt met, or 0.
std::string lost_output(int error) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return "";
  if (error == 0) error = errno;
  constexpr std::string_view kLost = "cannot write to standard output";
  return error == 0 ? std::string(kLost) : fmt::format("{}: {}", kLost, std::strerror(error));
}

int flushed(int status) {
  const std::string lost = lost_output(0);
  return lost.empty() ? status : complain(kFailed, lost);
}

int main_of(std::vector<std::string> arguments) {
  CommandLine line;
  const Parsed parsed = parse_command_line(line.root, line.verbs, std::move(arguments));
  return flushed(parsed.verb == nullptr ? 0 : parsed.verb->run(parsed.command));
}

}  // namespace
}  // namespace mmt::cli

int main(int argc, char** argv) {
  using mmt::cli::complain;
  mmt::tracefile::tell_where_nothing_can_be_thrown("mmt: ");
  try {
    return mmt::cli::main_of({argv + 1, argv + argc});
  } catch (const mmt::command::Failure& failure) {
    std::fflush(stdout);
    return complain(failure.status(), failure.what());
  } catch (const std::bad_alloc& failure) {
    const mmt::tracefile::MemoryBound::Lifted lifted;
    std::fflush(stdout);
    return complain(mmt::command::kFailed, mmt::tracefile::told_of(failure));
  } catch (const std::exception& error) {
    const auto* const system = dynamic_cast<const std::system_error*>(&error);
    const std::string lost = mmt::cli::lost_output(system == nullptr ? 0 : system->code().value());
    return complain(mmt::command::kFailed, lost.empty() ? error.what() : lost);
  }
}
