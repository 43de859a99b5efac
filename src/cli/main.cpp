// The command line tool: takes the command behind "--" aside, parses the rest, runs one verb.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

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

// The parser's own words, but for the wrong number of values, where it speaks of types.
std::string problem_of(const CLI::ParseError& error) {
  const std::string text = error.what();
  if (error.get_name() != "ArgumentMismatch") return text;
  const std::string flag = text.substr(0, text.find(':'));
  const bool repeated = text.find("received") != std::string::npos;
  return flag + (repeated ? " is given more than once" : " needs a value");
}

int run_verb(const Verb& verb, const Command& command) {
  const int status = verb.run(command);
  if (!flush_output()) return complain(kFailed, kOutputLost);
  return status;
}

int main_of(std::vector<std::string> arguments) {
  CLI::App root{"Memory management on a thread of its own, for unmodified programs.", "mmt"};
  root.set_version_flag("--version", "mmt " MMT_VERSION);
  root.require_subcommand(1);
  root.get_formatter()->column_width(34);
  const std::vector<Verb> verbs = add_verbs(root);

  if (arguments.empty()) throw Failure(kUsage, "no verb given; see 'mmt --help'");
  const std::string verb = arguments.front();
  if (!verb.starts_with("-") && std::none_of(verbs.begin(), verbs.end(), [&](const Verb& one) {
        return one.app->get_name() == verb;
      })) {
    throw Failure(kUsage, fmt::format("there is no verb '{}'; see 'mmt --help'", verb));
  }
  // "mmt verb [options] -- command": nothing behind the first "--" is ours to parse.
  const auto marker = std::find(arguments.begin(), arguments.end(), "--");
  Command command;
  if (marker != arguments.end()) command.assign(marker + 1, arguments.end());
  const bool is_run = verb == "run";
  arguments.erase(marker, arguments.end());
  std::reverse(arguments.begin(), arguments.end());  // what CLI11 expects of a vector
  try {
    root.parse(std::move(arguments));
  } catch (const CLI::Success& help) {
    root.exit(help);
    return flush_output() ? 0 : complain(kFailed, kOutputLost);
  } catch (const CLI::ParseError& error) {
    return complain(is_run ? kRunFailed : kUsage,
                    fmt::format("{}; see 'mmt {} --help'", problem_of(error), verb));
  }
  const auto chosen =
      std::find_if(verbs.begin(), verbs.end(), [](const Verb& verb) { return verb.app->parsed(); });
  return run_verb(*chosen, command);
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
