// `mmt help [VERB]`: as `mmt --help` and `mmt VERB --help`. The verbs that the laboratory does show
// theirs by it, so that all helps look alike.
#include "cli/command_line/help.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/command_line/parse.h"
#include "cli/laboratory/laboratory.h"
#include "cli/verbs/all_verbs.h"
#include "command/failure.h"
#include "command/message.h"

namespace mmt::cli {

using command::Failure;
using command::kUsage;
using command::show;
using programs::Command;

namespace {

// Those declared so far.
std::vector<std::string> shown_verbs(const CLI::App& root) {
  std::vector<std::string> names;
  const auto is_shown = [](const CLI::App* one) { return !one->get_group().empty(); };
  for (const CLI::App* one : root.get_subcommands(is_shown)) names.push_back(one->get_name());
  return names;
}

int help(const std::string& name, const Command& command) {
  if (!command.empty()) throw Failure(kUsage, "mmt help takes no command");
  const CommandLine all;
  if (name.empty()) {
    show(help_of_root(all.root, all.verbs));
    return 0;
  }
  const auto verb = std::find_if(all.verbs.begin(), all.verbs.end(), [&](const Verb& one) {
    return one.app->get_name() == name && !one.app->get_group().empty();
  });
  if (verb == all.verbs.end()) throw Failure(kUsage, no_such_verb(all.verbs, name));
  if (verb->is_laboratory) require_laboratory();
  show(help_of(grammar_of(*verb)));
  return 0;
}

}  // namespace

Verb add_help(CLI::App& root) {
  auto name = std::make_shared<std::string>();
  CLI::App* app = root.add_subcommand("help", "Show the verbs, or the help of one");
  app->add_option("verb", *name, "The verb; without it, what there is")
      ->type_name(fmt::format("{}", fmt::join(shown_verbs(root), "|")));
  return {app,
          [name](const Command& command) { return help(*name, command); },
          "mmt help [VERB]",
          {{"mmt help run", "as 'mmt run --help'"}}};
}

}  // namespace mmt::cli
