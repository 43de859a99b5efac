// Folder, parent and report put together.
#include "cli/stats/run_with_statistics.h"

#include <sys/wait.h>

#include <cstdlib>

#include "cli/registry/settings.h"
#include "cli/stats/page_folder.h"
#include "cli/stats/process_tree.h"
#include "cli/stats/run_report.h"
#include "command/failure.h"
#include "command/message.h"
#include "programs/supervise.h"

namespace mmt::cli {

using command::Failure;
using command::kRunFailed;
using command::tell;
using programs::end_like;
using programs::Ending;
using programs::supervise;

namespace {

// The folder is gone afterwards.
Ending run_and_report(RunReport& report, const std::function<void()>& become) {
  PageFolder folder;
  ::setenv(variable_of("stats").c_str(), folder.path().c_str(), 1);
  ProcessTree tree(report.wants_all_processes());
  const Ending ending = supervise(become, folder.news(), [&] {
    if (folder.is_filling()) tree.add(folder.take(false));
  });
  tree.add(folder.take(true));
  for (const std::string& one : folder.refusals()) tell(one);
  if (!ending.is_started) return ending;
  // The program's status is not to be lost.
  try {
    report.write(tree, ending);
  } catch (const Failure& failure) {
    tell(failure.what());
  }
  return ending;
}

}  // namespace

int run_with_statistics(const RunSubject& subject, const std::string& target,
                        const std::function<void()>& become) {
  const bool is_word = target == "-" || target == "stderr" || target == "full";
  RunReport report(is_word ? target : report_path(target, kRunFailed), subject);
  const Ending ending = run_and_report(report, become);
  if (WIFEXITED(ending.status)) return WEXITSTATUS(ending.status);
  end_like(ending.status);
}

}  // namespace mmt::cli
