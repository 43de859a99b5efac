// `mmt complete -- WORD...`, not in the help: what the last word of a command line may become, one
// a line. The shells' completions ask it, with all words behind "mmt" up to the cursor.
#include "cli/command_line/completion.h"
#include "cli/verbs/all_verbs.h"
#include "command/message.h"

namespace mmt::cli {

using command::show;
using programs::Command;

Verb add_complete(CLI::App& root) {
  CLI::App* app = root.add_subcommand("complete", "");
  app->group("");
  return {app, [](const Command& words) {
            const CommandLine all;
            for (const std::string& one : complete(all.root, all.verbs, words)) {
              show(one + "\n");
            }
            return 0;
          }};
}

}  // namespace mmt::cli
