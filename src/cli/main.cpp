// The command line tool: parses its command line and runs one verb.
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line/parse.h"
#include "cli/failure.h"
#include "cli/message.h"
#include "cli/verbs.h"

namespace mmt::cli {
namespace {

constexpr const char* kOutputLost = "cannot write to standard output";

int complain(int status, std::string_view text) {
  tell(text);
  return status;
}

// True when stdout took everything that was printed: a full disk must not pass for success.
bool flush_output() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

int run_verb(const Verb& verb, const Command& command) {
  const int status = verb.run(command);
  if (!flush_output()) return complain(kFailed, kOutputLost);
  return status;
}

int main_of(std::vector<std::string> arguments) {
  CommandLine line;
  const Parsed parsed = parse_command_line(line.root, line.verbs, std::move(arguments));
  if (parsed.verb == nullptr) return flush_output() ? 0 : complain(kFailed, kOutputLost);
  return run_verb(*parsed.verb, parsed.command);
}

}  // namespace
}  // namespace mmt::cli

int main(int argc, char** argv) {
  using mmt::cli::complain;
  try {
    return mmt::cli::main_of({argv + 1, argv + argc});
  } catch (const mmt::cli::Failure& failure) {
    std::fflush(stdout);
    return complain(failure.status(), failure.what());
  } catch (const std::exception& error) {
    const bool full = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
    return complain(mmt::cli::kFailed, full ? mmt::cli::kOutputLost : error.what());
  }
}
