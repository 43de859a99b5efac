// Which sources this `mmt` is of, for reports.
#pragma once

#include <string>

namespace mmt::cli {

// Commit of the sources that this build tree lies in, with " with changes" where a tracked file
// differs from it. The result is "mmt VERSION" where there are no such sources or no git.
std::string commit();

}  // namespace mmt::cli
