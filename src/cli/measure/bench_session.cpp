// The order of a benchmark's runs, and what becomes of each.
#include "cli/measure/bench_session.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <numeric>
#include <optional>
#include <random>

#include <fmt/format.h>

#include "cli/commit.h"
#include "cli/failure.h"
#include "cli/machine/findings.h"
#include "cli/measure/bench_run.h"
#include "cli/measure/progress.h"
#include "cli/measure/temporary_folder.h"
#include "cli/program/program.h"

namespace mmt::cli {
namespace {

using Clock = std::chrono::steady_clock;

double elapsed(Clock::time_point since) {
  return std::chrono::duration<double>(Clock::now() - since).count();
}

class Session {
 public:
  explicit Session(const SessionPlan& plan)
      : plan_(plan), progress_(plan.show_progress), generator_(plan.seed) {
    result_.command = plan.command_line;
    result_.seed = plan.seed;
    result_.allocators = plan.contenders.present;
    result_.missing_allocators = plan.contenders.missing;
    for (const Finding& one : examine_machine()) result_.machine.emplace_back(one.name, one.value);
    result_.machine.emplace_back("commit", commit());
  }

  report::BenchResult run() {
    find_programs();
    result_.rss_floor = rss_floor();
    for (report::BenchAllocator& one : result_.allocators) prove_loaded(one, folder_.path());
    warm_up();
    run_rounds();
    progress_.clear();
    return std::move(result_);
  }

 private:
  // Leaves out what is not installed; the rest gets its cells.
  void find_programs() {
    for (const SuiteProgram& program : plan_.programs) {
      try {
        const std::string path = find_program(program.command.front());
        if (brings_allocator(path)) {
          result_.missing_programs.push_back(
              {program.name, fmt::format("'{}' brings an allocator of its own, which goes before "
                                         "any library",
                                         program.command.front())});
          continue;
        }
        runs_.emplace_back(program, path, plan_.time_limit);
      } catch (const Failure& failure) {
        result_.missing_programs.push_back(
            {program.name, program.package.empty()
                               ? failure.what()
                               : fmt::format("apt-get install {}", program.package)});
        continue;
      }
      report::BenchProgram entry{program.suite, program.name,    program.command,
                                 program.pin,   program.metrics, {}};
      for (const report::BenchAllocator& one : result_.allocators) {
        entry.cells.push_back({one.name, "", {}});
      }
      result_.programs.push_back(std::move(entry));
    }
    if (runs_.empty()) {
      std::string names;
      for (const report::Missing& one : result_.missing_programs) {
        names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", one.name, one.remedy);
      }
      throw Failure(kFailed, fmt::format("no program can be run: {}", names));
    }
    seconds_.resize(runs_.size());
  }

  void warm_up() {
    for (std::size_t p = 0; p < runs_.size(); ++p) {
      for (std::size_t a = 0; a < result_.allocators.size(); ++a) {
        const auto start = Clock::now();
        // How long the rest takes is not known yet: the bar counts runs.
        progress_.show(0, 0, label(p, a) + " (warm-up)");
        result_.programs[p].cells[a].problem = runs_[p].warm_up(result_.allocators[a], folder_);
        seconds_[p] += elapsed(start);
      }
    }
    round_start_ = Clock::now();
    for (std::size_t p = 0; p < runs_.size(); ++p) {
      total_ += seconds_[p] * runs_[p].program().runs;
    }
    if (plan_.time_calls) {
      total_ *= 2;
      for (double& one : seconds_) one *= 2;
    }
    if (plan_.budget > 0) total_ = std::min(total_, plan_.budget - elapsed(start_));
  }

  double round_seconds() const {
    double sum = 0;
    for (std::size_t p = 0; p < runs_.size(); ++p) {
      if (result_.rounds_done < runs_[p].program().runs) sum += seconds_[p];
    }
    return sum;
  }

  bool has_time() const {
    const double next = round_seconds();
    if (next == 0) return false;
    return result_.rounds_done == 0 || plan_.budget <= 0 || elapsed(start_) + next <= plan_.budget;
  }

  // What was measured before an interruption is kept, from the first whole round on.
  void run_rounds() {
    try {
      while (has_time()) run_round();
    } catch (const Failure& failure) {
      if (result_.rounds_done == 0) throw;
      result_.interruption = {failure.status(), failure.what()};
    }
  }

  void run_round() {
    for (const std::size_t p : shuffled(runs_.size())) {
      if (result_.rounds_done >= runs_[p].program().runs) continue;
      for (const std::size_t a : shuffled(result_.allocators.size())) {
        report::Cell& cell = result_.programs[p].cells[a];
        if (!cell.problem.empty()) continue;
        progress_.show(elapsed(round_start_), total_, label(p, a));
        cell.problem =
            runs_[p].measure(result_.allocators[a], folder_, result_.rounds_done, cell.metrics);
        if (!plan_.time_calls || !cell.problem.empty()) continue;
        cell.problem =
            runs_[p].time_calls(result_.allocators[a], folder_, result_.rounds_done, cell.metrics);
      }
    }
    ++result_.rounds_done;
  }

  std::vector<std::size_t> shuffled(std::size_t count) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    // std::shuffle differs between libraries; a report's order must not.
    for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[generator_() % i]);
    return order;
  }

  std::string label(std::size_t program, std::size_t allocator) const {
    return fmt::format("{} {}", result_.programs[program].name, result_.allocators[allocator].name);
  }

  const SessionPlan& plan_;
  Progress progress_;
  std::mt19937_64 generator_;
  TemporaryFolder folder_;
  InterruptGuard interrupts_;
  report::BenchResult result_;
  std::vector<ProgramRuns> runs_;  // as result_.programs
  std::vector<double> seconds_;    // one round of each program, from the warm-up
  Clock::time_point start_ = Clock::now();
  Clock::time_point round_start_ = start_;
  double total_ = 0;
};

}  // namespace

report::BenchResult run_session(const SessionPlan& plan) { return Session(plan).run(); }

}  // namespace mmt::cli
