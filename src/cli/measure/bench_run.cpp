// Single runs: folder, environment, verdict, samples.
#include "cli/measure/bench_run.h"

#include <sys/wait.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/installation.h"
#include "cli/machine/cpu_list.h"
#include "cli/measure/call_times.h"
#include "cli/measure/contenders.h"

namespace mmt::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxComplaint = 200;

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string last_line(const std::string& path) {
  std::string text = content(path);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  text.erase(0, text.rfind('\n') + 1);
  return text.substr(0, kMaxComplaint);
}

// What is wrong with how a run ended, or nothing.
std::string verdict(const ChildResult& result, const ChildSpec& spec) {
  std::string text;
  if (result.timed_out) {
    text = fmt::format("took longer than {} s", spec.time_limit);
  } else if (WIFSIGNALED(result.status)) {
    const int signal = WTERMSIG(result.status);
    text = fmt::format("killed by signal {} ({})", signal, ::strsignal(signal));
  } else if (WEXITSTATUS(result.status) != 0) {
    text = fmt::format("exit status {}", WEXITSTATUS(result.status));
  }
  if (text.empty()) return "";
  const std::string complaint = last_line(spec.errors);
  return complaint.empty() ? text : text + ": " + complaint;
}

void add_sample(std::vector<report::Metric>& metrics, const std::string& name,
                const std::string& unit, int round, double value) {
  auto metric = std::find_if(metrics.begin(), metrics.end(),
                             [&](const report::Metric& one) { return one.name == name; });
  if (metric == metrics.end()) metric = metrics.insert(metric, {name, unit, {}});
  // A key reported twice in one run: the later value stands.
  if (!metric->samples.empty() && metric->samples.back().round == round) metric->samples.pop_back();
  metric->samples.push_back({round, value});
}

std::string calls_path(const TemporaryFolder& folder) { return folder.path() + "/calls"; }

}  // namespace

std::vector<ReportedValue> parse_report(const std::string& text) {
  std::vector<ReportedValue> values;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    ReportedValue one;
    std::string number;
    if (!(words >> one.key)) continue;
    words >> number >> one.unit;
    const auto [end, error] =
        std::from_chars(number.data(), number.data() + number.size(), one.value);
    if (error != std::errc() || end != number.data() + number.size() || one.unit.empty()) {
      throw Failure(kFailed, fmt::format("it reported '{}', which is not 'key value unit'", line));
    }
    values.push_back(std::move(one));
  }
  return values;
}

ChildSpec ProgramRuns::spec_for(const report::BenchAllocator& allocator,
                                const TemporaryFolder& folder, const std::string& before) const {
  const std::string work = folder.path() + "/work";
  fs::remove_all(work);
  fs::create_directory(work);
  fs::remove(folder.path() + "/report");
  std::vector<std::string> extra{"MMT_BENCH_REPORT=" + folder.path() + "/report",
                                 latency::kPageVariable + ("=" + calls_path(folder))};
  const auto filled = [&](std::string text) {
    for (std::size_t at = 0; (at = text.find("{tmp}", at)) != std::string::npos;) {
      text.replace(at, 5, work);
      at += work.size();
    }
    return text;
  };
  for (const auto& [name, value] : program_.environment)
    extra.push_back(name + "=" + filled(value));
  ChildSpec spec;
  spec.path = path_;
  for (const std::string& one : program_.command) spec.arguments.push_back(filled(one));
  spec.environment = environment_for(allocator, extra, before);
  spec.input = program_.input;
  spec.errors = folder.path() + "/errors";
  spec.cpus = *parse_cpu_list(program_.pin);
  spec.time_limit = time_limit_;
  return spec;
}

std::string ProgramRuns::warm_up(const report::BenchAllocator& allocator,
                                 const TemporaryFolder& folder) {
  ChildSpec spec = spec_for(allocator, folder);
  spec.observe_files = true;
  if (program_.same_output) spec.output = folder.path() + "/output";
  try {
    const ChildResult result = run_child(spec);
    if (std::string problem = verdict(result, spec); !problem.empty()) return problem;
    if (std::string problem = disagreement(allocator, result.files); !problem.empty()) {
      return problem;
    }
    if (program_.same_output) {
      std::string output = content(spec.output);
      if (has_output_ && output != first_output_) return "its output differs from the first one";
      first_output_ = std::move(output);
      has_output_ = true;
    }
    parse_report(content(folder.path() + "/report"));
  } catch (const Failure& failure) {
    if (failure.status() != kFailed) throw;
    return failure.what();
  }
  return "";
}

std::string ProgramRuns::measure(const report::BenchAllocator& allocator,
                                 const TemporaryFolder& folder, int round,
                                 std::vector<report::Metric>& metrics) const {
  const ChildSpec spec = spec_for(allocator, folder);
  try {
    const ChildResult result = run_child(spec);
    if (std::string problem = verdict(result, spec); !problem.empty()) return problem;
    add_sample(metrics, report::kWall, "s", round, result.wall);
    add_sample(metrics, report::kCpu, "s", round, result.cpu);
    add_sample(metrics, report::kPeakRss, "bytes", round, result.peak_rss);
    add_sample(metrics, report::kMinorFaults, "count", round, result.minor_faults);
    add_sample(metrics, report::kMajorFaults, "count", round, result.major_faults);
    for (const ReportedValue& one : parse_report(content(folder.path() + "/report"))) {
      add_sample(metrics, one.key, one.unit, round, one.value);
    }
  } catch (const Failure& failure) {
    if (failure.status() != kFailed) throw;
    return failure.what();
  }
  return "";
}

std::string ProgramRuns::time_calls(const report::BenchAllocator& allocator,
                                    const TemporaryFolder& folder, int round,
                                    std::vector<report::Metric>& metrics) const {
  try {
    const CallTimes times(calls_path(folder));
    ChildSpec spec = spec_for(allocator, folder, library_beside("libmmt-latency.so", kFailed));
    spec.observe_files = true;  // the end of the program is slowed, not its calls
    const ChildResult result = run_child(spec);
    std::string problem = verdict(result, spec);
    if (problem.empty()) problem = disagreement(allocator, result.files);
    if (!problem.empty()) return "with its calls timed: " + problem;
    for (const ReportedValue& one : times.values()) {
      add_sample(metrics, one.key, one.unit, round, one.value);
    }
  } catch (const Failure& failure) {
    if (failure.status() != kFailed) throw;
    return failure.what();
  }
  return "";
}

}  // namespace mmt::cli
