// `mmt run --stats`: the program runs as a child, and is told about when it has ended.
#pragma once

#include <functional>
#include <string>

#include "cli/stats/run_report.h"

namespace mmt::cli {

// Calls `become` in a child, which executes the program or throws a Failure. Waits for it, and
// writes the report to `target`: "-", "full" or a path. Ends as the program has ended: returns its
// exit status, or ends by the same signal. Throws a Failure (125) when the report has nowhere to
// go, before the program is started.
int run_with_statistics(const RunSubject& subject, const std::string& target,
                        const std::function<void()>& become);

}  // namespace mmt::cli
