// `mmt doctor`: what the environment and configuration files tell MMT.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "cli/machine/bound_cpu.h"
#include "cli/machine/findings.h"
#include "cli/registry/config.h"
#include "cli/registry/settings.h"
#include "command/failure.h"

namespace mmt::cli {

using command::Failure;
using command::kRunFailed;

namespace {

std::vector<std::string> own_variables() {
  std::vector<std::string> found;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (text.starts_with("MMT_") && text.find('=') != std::string_view::npos)
      found.emplace_back(text);
  }
  std::sort(found.begin(), found.end());
  return found;
}

// What `mmt run` would say before it starts anything.
std::string problem_of(void (*check)()) {
  try {
    check();
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "";
}

void check_files() {
  check_cpu(resolved_value("cpu", configured_settings(kRunFailed)), kRunFailed);
}
void check_variables() {
  check_environment(kRunFailed);
  check_cpu(resolved_value("cpu", {}), kRunFailed);
}

void examine_folder(const char* variable, const char* verb, Findings& findings) {
  const char* path = std::getenv(variable);
  std::error_code ignored;
  if (path == nullptr || *path == '\0' || std::filesystem::is_directory(path, ignored)) return;
  findings.push_back({variable, path, Verdict::kBad,
                      fmt::format("there is no such folder: '{}' cannot work", verb)});
}

}  // namespace

void examine_environment(Findings& findings) {
  const std::vector<std::string> variables = own_variables();
  const std::string wrong = problem_of(check_variables);
  findings.push_back({"environment",
                      variables.empty() ? "no MMT_*" : fmt::format("{}", fmt::join(variables, " ")),
                      wrong.empty() ? Verdict::kGood : Verdict::kBad,
                      wrong.empty() ? "" : fmt::format("'mmt run' refuses to start: {}", wrong)});
  // They are read together with the variables.
  const std::string file = wrong.empty() ? problem_of(check_files) : "";
  if (!file.empty()) {
    findings.push_back({"configuration", "wrong", Verdict::kBad,
                        fmt::format("'mmt run' refuses to start: {}", file)});
  }
  examine_folder("MMT_BENCH_SUITES", "mmt bench", findings);
  examine_folder("MMT_BENCH_WORKLOADS", "mmt bench", findings);
  examine_folder("MMT_LAB", "mmt study", findings);
}

}  // namespace mmt::cli
