// The verbs, in the order of the help. A verb is a file of verbs/ and, here, its declaration and
// its row.
#include "cli/verbs.h"

namespace mmt::cli {

Verb add_run(CLI::App& root);
Verb add_stats(CLI::App& root);
Verb add_list(CLI::App& root);
Verb add_doctor(CLI::App& root);
Verb add_check(CLI::App& root);
Verb add_bench(CLI::App& root);
Verb add_study(CLI::App& root);
Verb add_report(CLI::App& root);
Verb add_probe(CLI::App& root);
Verb add_facts(CLI::App& root);
Verb add_measure(CLI::App& root);
Verb add_resolve(CLI::App& root);

std::vector<Verb> add_verbs(CLI::App& root) {
  return {add_run(root),   add_stats(root), add_list(root),    add_doctor(root),
          add_check(root), add_bench(root), add_study(root),   add_report(root),
          add_probe(root), add_facts(root), add_measure(root), add_resolve(root)};
}

}  // namespace mmt::cli
