// The verbs, in the order of the help. A verb is a file beside this one and, here, its declaration
// and its row.
#include "cli/verbs/all_verbs.h"

namespace mmt::cli {

Verb add_run(CLI::App& root);
Verb add_explain(CLI::App& root);
Verb add_trace(CLI::App& root);
Verb add_stats(CLI::App& root);
Verb add_list(CLI::App& root);
Verb add_doctor(CLI::App& root);
Verb add_check(CLI::App& root);
Verb add_bench(CLI::App& root);
Verb add_study(CLI::App& root);
Verb add_report(CLI::App& root);
Verb add_simulate(CLI::App& root);
Verb add_help(CLI::App& root);
Verb add_probe(CLI::App& root);
Verb add_facts(CLI::App& root);
Verb add_measure(CLI::App& root);
Verb add_resolve(CLI::App& root);
Verb add_complete(CLI::App& root);
Verb add_manual(CLI::App& root);

CommandLine::CommandLine()
    : root("Memory management on a thread of its own, for unmodified programs.", "mmt") {
  root.set_help_flag("-h,--help", "Print this help");
  root.set_version_flag("-V,--version", "mmt " MMT_VERSION, "Print the version");
  root.require_subcommand(1);
  verbs.push_back(add_run(root));
  verbs.push_back(add_explain(root));
  verbs.push_back(add_trace(root));
  verbs.push_back(add_stats(root));
  verbs.push_back(add_list(root));
  verbs.push_back(add_doctor(root));
  verbs.push_back(add_check(root));
  verbs.push_back(add_bench(root));
  verbs.push_back(add_study(root));
  verbs.push_back(add_report(root));
  verbs.push_back(add_simulate(root));
  verbs.push_back(add_help(root));
  verbs.push_back(add_probe(root));
  verbs.push_back(add_facts(root));
  verbs.push_back(add_measure(root));
  verbs.push_back(add_resolve(root));
  verbs.push_back(add_complete(root));
  verbs.push_back(add_manual(root));
}

}  // namespace mmt::cli
