// `mmt bench`: programs x allocators on this machine. The laboratory does it.
#include <utility>

#include "cli/command_line/verb.h"
#include "cli/laboratory/laboratory.h"
#include "cli/registry/settings.h"
#include "command/failure.h"

namespace mmt::cli {

using command::kUsage;
using programs::Command;

Verb add_bench(CLI::App& root) {
  Verb verb = add_laboratory_verb(root, "bench", "Compare allocators on programs");
  verb.run = [become = std::move(verb.run)](const Command& command) {
    check_environment(kUsage);
    return become(command);
  };
  return verb;
}

}  // namespace mmt::cli
