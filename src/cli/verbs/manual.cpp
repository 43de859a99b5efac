// `mmt manual`, not in the help: prints the manual page but for its end. The build makes mmt.1 of
// both.
#include "cli/command_line/manual.h"

#include "cli/verbs/all_verbs.h"
#include "command/message.h"

namespace mmt::cli {

using command::show;
using programs::Command;

Verb add_manual(CLI::App& root) {
  CLI::App* app = root.add_subcommand("manual", "");
  app->group("");
  return {app, [](const Command&) {
            const CommandLine all;
            show(manual_of(all.root, all.verbs));
            return 0;
          }};
}

}  // namespace mmt::cli
