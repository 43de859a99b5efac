// `mmt doctor`: limits of this process, and what observing others needs.
#include <linux/perf_event.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include <mmt/sys/limits.h>

#include "cli/machine/findings.h"
#include "command/first_line.h"
#include "report/units.h"

namespace mmt::cli {

using command::first_line;

namespace {

constexpr const char* kStaysAway = "no memory thread, which {}; '-o server=on' brings it";

std::string limit_text(rlim_t limit, bool bytes) {
  if (limit == RLIM_INFINITY) return "unlimited";
  return bytes ? report::format_bytes(static_cast<double>(limit)) : report::format_count(limit);
}

rlim_t limit_of(__rlimit_resource resource) {
  rlimit limit{};
  return ::getrlimit(resource, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

void examine_resources(Findings& findings) {
  const rlim_t space = limit_of(RLIMIT_AS);
  const bool open = space == RLIM_INFINITY;
  findings.push_back({"limit_address_space", limit_text(space, true),
                      open ? Verdict::kGood : Verdict::kNote,
                      open ? "address ranges are free"
                           : "reservations shrink to fit; malloc gives NULL at the limit"});
  const bool many = !sys::are_tasks_limited();
  findings.push_back(
      {"limit_processes", limit_text(limit_of(RLIMIT_NPROC), false),
       many ? Verdict::kGood : Verdict::kBad,
       many ? "the memory thread may be one more" : fmt::format(kStaysAway, "counts too")});
  findings.push_back(finding_of_tasks_left(sys::cgroup_tasks_left()));
  const bool endless = !sys::is_cpu_time_limited();
  findings.push_back({"limit_cpu_time", endless ? "unlimited" : "limited",
                      endless ? Verdict::kGood : Verdict::kBad,
                      endless ? "the memory thread may use CPU time"
                              : fmt::format(kStaysAway, "would use it up")});
  findings.push_back({"limit_locked", limit_text(limit_of(RLIMIT_MEMLOCK), true), Verdict::kGood,
                      "MMT locks no memory"});
}

// Whether the hardware's counters can be read for this process.
void examine_counters(Findings& findings) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.exclude_kernel = 1;
  const long descriptor = ::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
  const int error = errno;
  if (descriptor >= 0) ::close(static_cast<int>(descriptor));
  findings.push_back(
      {"perf_counters",
       descriptor >= 0 ? "available" : fmt::format("unavailable ({})", std::strerror(error)),
       descriptor >= 0 ? Verdict::kGood : Verdict::kNote,
       descriptor >= 0 ? "cache and TLB misses can be counted"
                       : "misses are simulated (cachegrind), not counted"});
}

void examine_ptrace(Findings& findings) {
  const std::string scope = first_line("/proc/sys/kernel/yama/ptrace_scope");
  const bool open = scope.empty() || scope == "0";
  findings.push_back({"ptrace_scope", scope.empty() ? "no restriction" : scope,
                      open ? Verdict::kGood : Verdict::kNote,
                      open ? "'mmt stats' reads your own processes"
                           : "'mmt stats' of a process not started from here needs root"});
}

void examine_addresses(Findings& findings) {
  constexpr unsigned long kAsk = 0xffffffff;
  const int personality = ::personality(kAsk);
  const bool random = personality < 0 || (personality & ADDR_NO_RANDOMIZE) == 0;
  findings.push_back({"random_addresses", random ? "on" : "off",
                      random ? Verdict::kGood : Verdict::kNote,
                      random ? "no run's addresses are to be another's"
                             : "no memory thread while a program has one thread, so that its "
                               "addresses repeat"});
}

}  // namespace

Finding finding_of_tasks_left(unsigned left) {
  const bool room = left >= sys::kTasksForTheProgram;
  return {"cgroup_tasks", left == sys::kNoTaskLimit ? "unlimited" : fmt::format("{} left", left),
          room ? Verdict::kGood : Verdict::kBad,
          room ? "room for the memory thread"
               : fmt::format(kStaysAway, "leaves the last to the program")};
}

void examine_limits(Findings& findings) {
  examine_resources(findings);
  examine_addresses(findings);
  examine_ptrace(findings);
  examine_counters(findings);
}

}  // namespace mmt::cli
